"""Tokens of texts and events of XML, each with its line: what files of nets and questions share.

`lola` and `mist` hold the words of tools whose files say both.
"""

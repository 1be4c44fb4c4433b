"""Tokens of texts and events of XML, each with its line, for files of nets and of questions.

`lola` and `mist` have the words of tools whose files contain both.
"""

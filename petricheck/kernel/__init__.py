"""Nets and targets as flat arrays, and the compiled loops over them: walks and exploration.

`measured` says how fast they are.
"""

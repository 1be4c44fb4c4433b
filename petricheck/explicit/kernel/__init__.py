"""Nets and targets as flat arrays, and the compiled loops over them: walks and exploration.

`petricheck bench kernel` measures their speed.
"""

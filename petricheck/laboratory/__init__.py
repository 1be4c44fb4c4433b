"""Algorithms of the papers, with commands that reproduce their tables and measure them.

Nothing else in petricheck imports it: its commands are entry points of the group
`petricheck.commands`, as those of any other package may be.
"""

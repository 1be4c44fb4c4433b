"""What reproduces the papers' tables and measures their algorithms: commands of its own.

Nothing else in petricheck imports it: its commands are entry points of the group
`petricheck.commands`, as those of any other package may be.
"""

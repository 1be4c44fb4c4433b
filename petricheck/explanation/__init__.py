"""Evidence for people: what is claimed, and why it holds, as a tree of values made once.

`claims` makes the tree; `text` (lines and JSON) and `html` are its renderers. All that is told is
checked against the net here, in exact arithmetic and without a solver; it repeats no audit.
"""

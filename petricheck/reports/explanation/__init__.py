"""Explanations of evidence for people: what a claim states, and why its evidence proves it.

`claims` makes one tree of values of a claim; `text` (lines and JSON) and `html` are its renderers.
All that an explanation states is checked against the net here, in exact arithmetic and without a
solver. The audit is not repeated.
"""

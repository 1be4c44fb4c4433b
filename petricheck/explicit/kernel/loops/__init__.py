"""The loops, as functions over arrays in the part of Python that numba compiles.

They use constants and other loops only. None raises: what may overflow is compared first. `arcs` is
the net, `circuit` the targets, `state` the current state of the search, which changes, `aim` the
target to which distances are measured, if any, `trace` what was fired since the start.
"""

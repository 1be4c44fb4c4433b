"""Problems as Presburger formulas over time-stamped places: the only owner of m@k.

`stamps` names places at times; `blocks` says what any transitions may do
between two times, and `unrolling` puts blocks in a row into one solver,
with `lemmas` that have been checked.
"""

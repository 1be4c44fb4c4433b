"""Transition relations that start as *true* and learn from paths that they wrongly allow.

Jhala and McMillan: Interpolant-based transition relation approximation (2007). States of the
*abstract program* are the truth values of predicates, and a decision procedure tells which of them
an operation relates. The *approximation* says less, and says it without arithmetic: it is made of
clauses over predicates before and after a step.
"""

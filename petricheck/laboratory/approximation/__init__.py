"""Transition relations that start as *true* and learn from paths that they wrongly allow.

Jhala and McMillan: Interpolant-based transition relation approximation (2007). States of the
*abstract program* are the truth values of predicates; a decision procedure decides which of them an
operation relates. The *approximation* is weaker and needs no arithmetic: it consists of clauses
over predicates before and after a step.
"""

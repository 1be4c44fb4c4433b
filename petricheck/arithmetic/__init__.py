"""Presburger arithmetic: terms, formulas, linear programs, solvers. Does not depend on nets."""

"""Presburger arithmetic: terms, formulas, linear programs, solvers. Knows no nets."""

"""Presburger formulas for solvers: SMT-LIB, z3, cvc5."""

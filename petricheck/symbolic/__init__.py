"""Sets of states as formulas: half-spaces, facts, interpolants, time-stamped steps.

Whatever has a budget raises `support.errors.BudgetExhausted` where time or memory ran out.
"""

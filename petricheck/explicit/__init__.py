"""Sets of states, one by one: compiled loops over arrays, exploration, upward-closed sets.

Whatever has a budget raises `support.errors.BudgetExhausted` where time or memory ran out.
"""

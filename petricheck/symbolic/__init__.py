"""Sets of states as formulas: half-spaces, facts, interpolants, time-stamped steps."""

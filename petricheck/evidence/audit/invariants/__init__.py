"""Invariants, checked in exact arithmetic or by obligations of a solver."""

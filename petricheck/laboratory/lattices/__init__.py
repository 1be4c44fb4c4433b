"""Lattices of interpolation abstractions, and how their cheapest feasible elements are found."""

"""Interpolation abstractions, their lattices, and interpolants of paths."""

"""Interpolants of two cubes by linear programs, and of Boolean combinations cube by cube."""

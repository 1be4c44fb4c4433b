"""Interpolants of cubes by linear programs, and of Boolean combinations cube by cube."""

"""Heuristics: along which vectors a good interpolant should not grow. One file each."""

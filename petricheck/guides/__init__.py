"""Guides: how an interpolant is chosen among the feasible ones. One file each."""

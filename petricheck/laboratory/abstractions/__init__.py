"""Interpolation abstractions and the problems that they restrict, without nets."""

"""Interpolation abstractions and the problems that they restrict; they know no nets."""

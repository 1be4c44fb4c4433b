"""The loops, as functions over arrays in the part of Python that numba compiles.

They use constants and other loops only. None raises: what may overflow is compared first.
"""

"""The loops of covers, in the part of Python that numba compiles (`support.compiled`).

They use each other only, and create no arrays. None raises.
"""

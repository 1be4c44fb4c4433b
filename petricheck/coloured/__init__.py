"""Coloured nets: sorts, terms, nets with their own firing, and their unfolding.

A colour is a number below the size of its sort, so that terms are arithmetic: of one binding, or of
columns of many at once. What files say is read elsewhere, see `formats`.
"""

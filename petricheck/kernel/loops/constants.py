"""Numbers that several loops know, and those who call them."""

from __future__ import annotations

import numpy as np

MOST = 1 << 40
"""Tokens that a place may hold, and largest weight: sums of such numbers stay far below 2^63."""

ENABLED, TRUE, FIRED, RESTARTS, CLOSED, SIZE, CURRENT, FOUND, TOUCHED, WAITING = range(10)
"""Numbers of a search: transitions that may be enabled, open targets true; of a walk firings since
the start and restarts; of an exploration markings expanded (and FIRED, what they enable), markings
known, the one that the state is at, the one in a target (or the place that needs more bits), one
that nobody reads, and markings in a heap.
"""

FARTHEST = 1 << 30
"""What distances are cut down to."""

NOTHING, NO_NEARER, NEARER = 1 << 62, -1, -2
"""Of the operands of a disjunction: none changed its distance, or the least may have become larger,
or no matter what.
"""

AT_MOST, EQUAL, DIFFERENT, CONGRUENT, INCONGRUENT = range(5)
"""Tests of atoms: value ≤ 0, = 0, ≠ 0, ≡ 0 and ≢ 0 (mod modulus)."""

STAMP, QUEUED, CHOSEN, PASSED = range(4)
"""Numbers of a stubborn set: its own, how many members it has, how many of these are chosen, and in
how many markings no set is made."""

DONE, MET, TOO_NARROW, FULL = range(4)
"""Why an exploration ended."""

# Python's own integers beside unsigned ones make floats, in numba and in older numpy.
ZERO, ONE, HALF, LOW = np.uint64(0), np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)
STAR = np.uint64(0x2545F4914F6CDD1D)
"""A factor that spreads bits (Vigna 2016); HALF and LOW are half of a word's bits."""

"""Numbers that the loops and their callers share."""

from __future__ import annotations

import numpy as np

MOST = 1 << 40
"""Most tokens of a place, and largest weight: sums of such numbers stay far below 2^63."""

ENABLED, TRUE, WORK, FIRED, RESTARTS, CLOSED, SIZE, CURRENT, RESULT, TOUCHED, WAITING = range(11)
"""Numbers of a search. Of all: transitions that may be enabled, open targets that are true, reads
of transitions and atoms so far. Of a walk: firings since the start, and restarts. Of exploration:
markings expanded (FIRED counts the firings from them), markings in the table, the number of the
state's marking, the number of a marking in a target (or the place that needs more bits), a checksum
that is never read, and markings in the heap.
"""

FARTHEST = 1 << 30
"""Largest distance; greater ones are cut down to it."""

NO_UPDATE, RESCAN_ABOVE, RESCAN = 1 << 62, -1, -2
"""Updates of a disjunction: no operand changed its distance; read all operands again, none of which
is nearer than the gate was; read all operands again.
"""

AT_MOST, EQUAL, DIFFERENT, CONGRUENT, INCONGRUENT = range(5)
"""Tests of atoms: value ≤ 0, = 0, ≠ 0, ≡ 0 and ≢ 0 (mod modulus)."""

STAMP, QUEUED, CHOSEN, PASSED = range(4)
"""Numbers of a stubborn set: its own number, its members, those of them that are chosen, and the
markings to be expanded without a set."""

DONE, TARGET_REACHED, TOO_NARROW, FULL = range(4)
"""Why an exploration ended."""

# Python's own integers beside unsigned ones make floats, in numba and in older numpy.
ZERO, ONE, HALF, LOW = np.uint64(0), np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)
STAR = np.uint64(0x2545F4914F6CDD1D)
"""A factor that spreads bits (Vigna 2016); HALF and LOW are half of a word's bits."""

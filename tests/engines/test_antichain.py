"""The antichain of feature sets, against sets of Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from petricheck.engines.abstraction.antichain import StateAntichain, words

WIDTH = 128
"""Features of two words."""


def packed(features: frozenset[int]) -> np.ndarray:
    """The set's words; feature 0 is common to all, feature 1 no one's."""
    row = np.zeros((1, WIDTH), dtype=bool)
    row[0, [0, *features]] = True
    return words(row)[0]


@settings(max_examples=20)
@given(st.lists(st.frozensets(st.sampled_from([2, 3, 4, 63, 64, 127])), max_size=300))
def test_it_keeps_what_no_other_includes(sets: list[frozenset[int]]) -> None:
    antichain = StateAntichain(len(packed(frozenset())))
    added: list[frozenset[int]] = []
    within: list[bool] = []
    for features in sets:
        covered = any(features <= other for other, here in zip(added, within, strict=True) if here)
        assert antichain.covers(packed(features)) == covered
        if covered:
            continue
        assert antichain.add(packed(features)) == len(added)
        within = [here and not other <= features for other, here in zip(added, within, strict=True)]
        added, within = [*added, features], [*within, True]
        assert list(antichain.alive) == within


def test_it_forgets_what_has_left_and_grows_where_little_has() -> None:
    antichain = StateAntichain(len(packed(frozenset())))
    singles = [frozenset({n}) for n in range(2, WIDTH)]
    numbers = [antichain.add(packed(s)) for s in singles]
    pairs = [frozenset({n, m}) for n in range(2, 40) for m in range(n + 1, 40)]
    for pair in pairs:
        antichain.add(packed(pair))
    assert numbers == list(range(len(singles)))
    assert [antichain.alive[n] for n in numbers] == [not any(s < p for p in pairs) for s in singles]
    assert all(antichain.alive[len(singles) :])
    assert all(antichain.covers(packed(s)) for s in (*singles, *pairs))

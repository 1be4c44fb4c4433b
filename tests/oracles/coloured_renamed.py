"""Coloured nets with other words for everything, also with words that occur in the program."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from coloured_oracle import Net, Sort
from coloured_spelling import Spelling

WORDS = (
    *("dot", "_", "all", "a..c", "{a..c}", "{a, c..d}", "..", "a..", "{", "}", "1", "2", "-1", "0"),
    *("and", "or", "not", "true", "false", "mod", "deadlock", "fireable", "fireable(t0)", "min:"),
    *("a b", "a,b", "a, b", "(a)", "(a, b)", "(", ")", "a)", "x=a", "=", '"', 'say "a"', '"a"'),
    *("\\", "a\\", '\\"', "#", "# a", "@a", "a'", "->", "+", "a-b", "2*a", "!=", "<", "&", "ä"),
    *("t0(x=a)", "t0(x0=a)", "p0(a)", "p0(_, a)", "p0", "p1", "t0", "t1", "S0", "S1", "Parts"),
    *("Pair", "x", "y", "x0", "y0", "all 0", "unfired", "_, _", "__", "a", "b", "c", "d", "u", "E"),
)
SIGNS = (
    "_",
    "dot",
    "a..c",
    "{a..c}",
    "a, b",
    "a b",
    ")",
    '"',
    "\\",
    "x=a",
    "1",
    "..",
    "_, _",
    "all 0",
)
"""Those that have a meaning within names."""
PLAIN = tuple(f"{letter}{number}" for letter in "klmnz" for number in (7, 11, 3))


def renamed(random: Random, net: Net, words: Sequence[str]) -> Spelling:
    """Other words for everything; different ones wherever the names are."""
    variables = dict.fromkeys(name for t in net.transitions for name in t.variables)
    places, transitions = ([node.name for node in nodes] for nodes in (net.places, net.transitions))
    sample = random.sample(words, len(places + transitions))
    nodes = dict(zip((*places, *transitions), sample, strict=True))
    inner = SIGNS if words is WORDS and random.random() < 0.5 else words
    sorts = dict[str, Sort]()
    for place in net.places:
        _collect(sorts, place.sort)
    for transition in net.transitions:
        for sort in transition.variables.values():
            _collect(sorts, sort)
    return Spelling(
        {name: nodes[name] for name in places},
        {name: nodes[name] for name in transitions},
        dict(zip(variables, random.sample(inner, len(variables)), strict=True)),
        dict(zip(sorts, random.sample(words, len(sorts)), strict=True)),
        {
            (sort.name, colour): word
            for sort in sorts.values()
            if sort.kind in ("finite", "cyclic", "partition")
            for colour, word in zip(
                sort.colours, random.sample(inner, len(sort.colours)), strict=True
            )
        },
    )


def _collect(sorts: dict[str, Sort], sort: Sort) -> None:
    for factor in sort.factors:
        _collect(sorts, factor)
    if sort.kind != "dot":
        sorts[sort.name] = sort

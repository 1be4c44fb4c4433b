"""What is told of an invariant, read back from the tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from petricheck.arithmetic.formulas.formulas import TRUE, Formula
from petricheck.arithmetic.formulas.layout import Comparison, Leaf
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.explanation import Items, Line, Node, Section, SentenceList, Words
from petricheck.model.net import Net
from petricheck.reports.explanation.atoms import MEANINGS
from petricheck.reports.explanation.invariants import invariant_reasons
from petricheck.reports.explanation.text import sentence


class Part(NamedTuple):
    formula: Leaf | Formula
    kinds: list[str]
    holds: bool
    initially: tuple[int, int] | None
    suggested_by: str


class Case(NamedTuple):
    """Moves are (number of a case or None, transitions), clashes (cube, what it says, part)."""

    parts: list[Part]
    moves: list[tuple[int | None, tuple[str, ...]]]
    clashes: list[tuple[int, Formula, int]]


def told_cases(net: Net, certificate: Certificate, target: Formula = TRUE) -> list[Case]:
    nodes = invariant_reasons(net, certificate, target)
    return [_case(n, node.nodes) for n, node in enumerate(nodes) if isinstance(node, Section)]


def _case(number: int, nodes: Sequence[Node]) -> Case:
    parts, clashes = [], []
    for node in nodes:
        if isinstance(node, Items) and node.numbered:
            parts = [_part(item) for item in node.items]
        elif isinstance(node, Items):
            clashes = [_clash(words) for (words,) in node.items]
    lines = [node.words for node in nodes if isinstance(node, Line)]
    return Case(parts, [_move(number, words) for words in lines if len(words) == 3], clashes)


def _part(item: tuple[Words, ...]) -> Part:
    ((formula,), *notes) = item
    said = list(map(sentence, notes))
    kinds = [
        kind
        for kind, meaning in MEANINGS.items()
        for note in said
        if re.fullmatch(re.escape(meaning).replace(r"\{\}", ".*"), note)
    ]
    (initially,) = (words for words in notes if str(words[0]).startswith("initially"))
    values = initially[1] if len(initially) > 1 else None
    sides = None
    if isinstance(values, Comparison):
        sides = values.left.constant, values.right.constant
    origin = next((note for note in said if note.startswith("suggested by ")), "")
    holds = not str(initially[0]).startswith("initially not")
    return Part(formula, kinds, holds, sides, origin.removeprefix("suggested by "))  # type: ignore[arg-type]


def _move(number: int, words: Words) -> tuple[int | None, tuple[str, ...]]:
    head, ids, _ = words
    assert isinstance(ids, SentenceList)
    case = re.match(r"Lead to case (\d+)", str(head))
    to = int(case[1]) - 1 if case else None if str(head).startswith("Disabled") else number
    return to, tuple(sentence(words) for words in ids.items)


def _clash(words: Words) -> tuple[int, Formula, int]:
    head, says, tail = words
    cube = re.search(r"alternative (\d+)", str(head))
    part = re.fullmatch(r" contradicts (\d+)\.", str(tail))
    assert part
    return int(cube[1]) - 1 if cube else 0, says, int(part[1]) - 1  # type: ignore[return-value]

"""Names mean nothing: with odd ones everything is answered as with plain ones, and as truly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from coloured_judge import Judge
from coloured_random import Question, random_net, random_question
from coloured_renamed import PLAIN, WORDS, renamed
from coloured_spelling import Spelling
from coloured_ways import Way, judged, ways


@dataclass(frozen=True)
class Meaning:
    """Facts and claims in cells and firings instead of names; orders that mean nothing are lost."""

    judge: Judge
    target: Any = None

    def claim(self, claim: Mapping[str, Any]) -> Hashable:
        match claim:
            case {"trace": steps, "stops": stops}:
                return self._steps(steps), tuple((k, self.formula(f)) for k, f in stops)
            case {"unbounded": sums, "stages": stages}:
                parts = ((self._steps(s["stem"]), self._steps(s["loop"])) for s in stages)
                return frozenset(map(self._sum, sums)), tuple(parts)
            case {"after": steps, "excluded": formula}:
                return "after", self._steps(steps), self.formula(formula)
            case {"with": transitions, "excluded": formula}:
                firings = frozenset(map(self.judge.names.firings, transitions))
                return "with", firings, self.formula(formula)
            case {"excluded": formula}:
                return "excluded", self.formula(formula)
            case {"home": formulas}:
                return "home", frozenset(map(self.formula, formulas))
            case {"reachability set": counts}:
                return "set", tuple(counts.items())
        raise AssertionError(claim)

    def formula(self, formula: Any) -> Hashable:
        if formula == "target":
            formula = self.target
        match formula:
            case {"and": parts} | {"or": parts}:
                return "and" in formula, frozenset(map(self.formula, parts))
            case {"not": part}:
                return "not", self.formula(part)
            case {"sum": weights, "at most": bound}:
                return "at most", self._sum(weights), bound
        # The order of names may turn both sides around.
        weights = formula["sum"]
        opposite = self._sum({name: -weight for name, weight in weights.items()})
        match formula:
            case {"equals": number}:
                sides = ((self._sum(weights), number), (opposite, -number))
                return "equals", frozenset(sides)
            case {"residue": residue, "modulus": modulus}:
                sides = ((self._sum(weights), residue % modulus), (opposite, -residue % modulus))
                return modulus, frozenset(sides)
        raise AssertionError(formula)

    def facts(self, kind: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The facts of an answer to a question of this kind."""
        names = self.judge.names
        listed = names.listed_firings if kind in ("live", "quasi_live") else names.listed_cells

        def part(key: str, value: Any) -> Any:
            match value:
                case dict():
                    cells = names.cells if key == "marking" else names.listed_cells
                    return {cells(name): number for name, number in value.items()}
                case list() | tuple():
                    return frozenset(map(listed, value))
            return value

        return {key: part(key, value) for key, value in facts.items()}

    def _steps(self, steps: Any) -> Hashable:
        return tuple((self.judge.names.firings(name), times) for name, times in steps)

    def _sum(self, weights: Mapping[str, Any]) -> Hashable:
        names = self.judge.names
        return frozenset(
            (("enabled", names.enabling(name)), weight)
            if names.enabling(name) is not None
            else (names.cells(name), weight)
            for name, weight in weights.items()
        )


def answers(way: Way, question: Question) -> Any:
    """What is answered, and what all of it means; None where the question is refused."""
    finding, written = judged(way, question, seconds=20)
    if finding is None:
        return None
    meaning = Meaning(way.judge, written["question"]["target"])
    facts = meaning.facts(question.kind, finding.conclusion.facts)
    return finding.value, facts, Counter(map(meaning.claim, written["claims"]))


def compare(seed: int, words: Sequence[str]) -> None:
    random = Random(seed)
    while not (graph := random_net(random, 40)).complete:
        pass  # of a net without bounds more is answered the faster it goes
    spelling = renamed(random, graph.net, words)
    ambiguous = "_" in spelling.colours.values()  # then what stands for all colours is refused
    plain, odd = ([*ways(graph, s)] for s in (Spelling(), spelling))
    assert [way.name for way in plain] == [way.name for way in odd]
    for one, other in zip(plain, odd, strict=True):
        assert len(one.net.places) == len(other.net.places)
        for _ in range(2):
            question = random_question(random, graph, len(one.net.places))
            # Which of several traces comes first may depend on how fast the machine is.
            pairs = ((answers(one, question), answers(other, question)) for _ in range(3))
            same = any(meant == again or (again is None and ambiguous) for meant, again in pairs)
            assert same, (one.name, question)


@pytest.mark.parametrize("seed", range(50))
@pytest.mark.slow
def test_odd_names_change_no_answer_and_no_claim(seed: int) -> None:
    compare(seed, WORDS)


@pytest.mark.parametrize("seed", range(4))
def test_other_plain_names_change_no_answer_and_no_claim(seed: int) -> None:
    compare(seed, PLAIN)

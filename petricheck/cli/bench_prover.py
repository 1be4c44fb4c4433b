"""`petricheck bench prover`: interpolation problems of random nets, beside cvc5.

The nets have five places and four transitions. A target asks for one token more, on one place, than
some walk leaves there; where no walk of that length ends so, there are interpolants. With
inequalities three places change by any amount between two bounds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from random import Random
from statistics import median

import click

from petricheck.cli.terminal import say
from petricheck.encoding.paths import path_parts, step
from petricheck.interpolation.prover import Interpolated, interpolate_sequence
from petricheck.interpolation.prover.proofs import Proof
from petricheck.presburger.formulas import (
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    variables,
)
from petricheck.presburger.second_solver import run
from petricheck.presburger.smtlib import symbol, to_smtlib
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Marking, Net, Problem, make_net, make_problem

PROBLEMS = 10
"""Of each kind."""
SECONDS = 2.0
"""Limit on each answer of cvc5."""
STEPS = 8
PLACES = 5
TRANSITIONS = 4
LOOSE_STEPS = 6
LOOSE_PLACES = 3
LOOSE_TRANSITIONS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of problem.

    Attributes:
        what: the kind.
        seconds: of CPU time, for each problem: from formulas to the interpolants of a sequence.
        steps: of each proof; 0 where quantifier elimination answered.
        theirs: for each problem that cvc5 solves, its seconds for one interpolant in the middle;
            None where it is not installed.
    """

    what: str
    seconds: tuple[float, ...]
    steps: tuple[int, ...]
    theirs: tuple[float, ...] | None

    @property
    def line(self) -> str:
        """The row as it is printed."""
        ours = f"{median(self.seconds):.3f} s, at most {max(self.seconds):.3f} s"
        steps = f"{int(median(self.steps))} steps"
        return f"{self.what:24}  {ours}  {steps:>10}  cvc5: {self._compared}"

    @property
    def _compared(self) -> str:
        if self.theirs is None:
            return "not installed"
        if not self.theirs:
            return f"none of {len(self.seconds)} in {SECONDS:g} s"
        solved = f"{len(self.theirs)} of {len(self.seconds)}"
        return f"{median(self.theirs):.3f} s, {solved} in {SECONDS:g} s"


@dataclass(frozen=True, slots=True)
class _Walk:
    """A walk in a net, by the numbers of its transitions, and a target of other walks."""

    problem: Problem
    fired: tuple[int, ...]


@click.command()
@click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="Of the random problems."
)
def command(seed: int) -> None:
    """Measure the interpolating prover on random problems, beside cvc5."""
    random = Random(seed)
    walks = [_walk(random) for _ in range(PROBLEMS)]
    loose = (_loose(random) for _ in iter(int, 1))
    say(_row(f"{STEPS} steps, each known", map(_path, walks)).line)
    say(_row(f"{STEPS} steps of {TRANSITIONS}", map(_run, walks)).line)
    say(_row(f"{LOOSE_STEPS} steps of inequalities", loose).line)


def _row(what: str, problems: Iterator[Sequence[Formula]]) -> Row:
    """The measurements of the first problems that have interpolants."""
    seconds: list[float] = []
    steps: list[int] = []
    theirs: list[float] = []
    for parts in problems:
        started = time.process_time()
        result = interpolate_sequence(parts)
        spent = time.process_time() - started
        if isinstance(result, Interpolated):
            seconds.append(spent)
            steps.append(len(result.by) if isinstance(result.by, Proof) else 0)
            theirs += _cvc5(parts)
        if len(seconds) == PROBLEMS:
            break
    compared = tuple(theirs) if find_spec("cvc5") is not None else None
    return Row(what, tuple(seconds), tuple(steps), compared)


def _cvc5(parts: Sequence[Formula]) -> list[float]:
    """The seconds that cvc5 takes for an interpolant of both halves; empty where it finds none."""
    if find_spec("cvc5") is None:
        return []
    half = len(parts) // 2
    first, second = conjunction(parts[:half]), conjunction(parts[half:])
    names = dict.fromkeys((*variables(first), *variables(second)))
    script = [
        "(set-option :produce-interpolants true)",
        "(set-logic ALL)",
        *(f"(declare-const {symbol(name)} Int)" for name in names),
        f"(assert {to_smtlib(first)})",
        f"(get-interpolant I (not {to_smtlib(second)}))",
    ]
    started = time.process_time()
    answers = run("\n".join(script), seconds=SECONDS)
    spent = time.process_time() - started
    return [spent] if answers and answers[0].startswith("(define-fun") else []


def _walk(random: Random) -> _Walk:
    """A walk, with a target that no walk of its length ends in."""
    while True:
        net = _net(random)
        fired: list[int] = []
        marking = net.initial
        while len(fired) < STEPS and (enabled := _enabled(net, marking)):
            fired.append(random.choice(enabled))
            marking = net.transitions[fired[-1]].fire(marking)
        place = random.randrange(PLACES)
        target = tuple(n + (p == place) for p, n in enumerate(marking))
        if len(fired) == STEPS and not _covered(net, target):
            aims = (at_least(variable(p), n) for p, n in zip(net.places, target, strict=True))
            return _Walk(make_problem(net, conjunction(aims)), tuple(fired))


def _net(random: Random) -> Net:
    """Transitions that take from two places and put on two."""
    places = [f"p{number}" for number in range(PLACES)]

    def weights() -> dict[str, int]:
        return {place: random.choice((1, 1, 2)) for place in random.sample(places, 2)}

    arcs = {f"t{number}": (weights(), weights()) for number in range(TRANSITIONS)}
    return make_net("random", {place: random.randint(0, 2) for place in places}, arcs)


def _enabled(net: Net, marking: Marking) -> list[int]:
    return [n for n, transition in enumerate(net.transitions) if transition.enabled(marking)]


def _covered(net: Net, target: Marking) -> bool:
    """Whether some walk of that length ends in the target or above."""
    ends = {net.initial}
    for _ in range(STEPS):
        ends = {net.transitions[n].fire(m) for m in ends for n in _enabled(net, m)}
    return any(all(n >= k for n, k in zip(m, target, strict=True)) for m in ends)


def _path(walk: _Walk) -> Sequence[Formula]:
    """The transitions of the walk, one after the other, to the target."""
    return path_parts(walk.problem, walk.fired)


def _run(walk: _Walk) -> Sequence[Formula]:
    """Any transitions, one after the other, to the target."""
    net = walk.problem.net
    first, *_, last = _path(walk)
    steps = (disjunction(step(net, t, k) for t in net.transitions) for k in range(STEPS))
    return [first, *steps, last]


def _loose(random: Random) -> list[Formula]:
    """Steps that change places by any amount between two bounds; some targets are reached."""
    places = range(LOOSE_PLACES)
    moves = [
        [sorted((random.randint(-2, 2), random.randint(-2, 2))) for _ in places]
        for _ in range(LOOSE_TRANSITIONS)
    ]
    first = [limit for p in places for limit in _within(_place(p, 0), 0, 2)]
    steps = [
        disjunction(conjunction(_loose_firing(move, number)) for move in moves)
        for number in range(LOOSE_STEPS)
    ]
    weights = [random.choice((-1, 1, 1, 2)) for _ in places]
    best = max(_gain(weights, move) for move in moves)
    most = _gain(weights, [(0, 2) for _ in places]) + LOOSE_STEPS * best
    end = linear((f"p{p}_{LOOSE_STEPS}", weight) for p, weight in enumerate(weights))
    return [conjunction(first), *steps, at_least(end, most + random.choice((-1, 0, 1)))]


def _loose_firing(move: Sequence[Sequence[int]], number: int) -> Iterator[Formula]:
    """The first two places must hold something."""
    for place, (least, most) in enumerate(move):
        before, after = _place(place, number), _place(place, number + 1)
        yield at_least(before, 1 if place < 2 else 0)
        yield from _within(after - before, least, most)


def _within(term: Term, least: int, most: int) -> tuple[Formula, Formula]:
    return at_least(term, least), at_most(term, most)


def _gain(weights: Sequence[int], changes: Sequence[Sequence[int]]) -> int:
    """By how much the weighted sum grows at most."""
    pairs = zip(weights, changes, strict=True)
    return sum(max(weight * low, weight * high) for weight, (low, high) in pairs)


def _place(place: int, number: int) -> Term:
    return variable(f"p{place}_{number}")

"""`petricheck bench prover`: interpolation problems of random nets, also given to cvc5.

The nets have five places and four transitions. A target is the last marking of a walk with one
token more on one place. Where no walk of that length ends in or above it, there are interpolants.
With inequalities, three places change by any amount between two bounds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from random import Random
from statistics import median

import click

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.solvers.second_solver import run
from petricheck.arithmetic.solvers.smtlib import symbol, to_smtlib
from petricheck.commands.shell.terminal import say
from petricheck.laboratory.paths import path_parts, step
from petricheck.laboratory.prover import Interpolated, interpolate_sequence
from petricheck.laboratory.prover.proofs import Proof
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import Problem, make_problem

PROBLEMS = 10
"""Number of problems of each kind."""
SECONDS = 2.0
"""Limit on each answer of cvc5."""
STEPS = 8
PLACES = 5
TRANSITIONS = 4
INEQUALITY_STEPS = 6
INEQUALITY_PLACES = 3
INEQUALITY_TRANSITIONS = 3


@click.command()
@click.option(
    "--seed",
    metavar="N",
    type=int,
    default=1,
    show_default=True,
    help="Seed of the random problems.",
)
def command(seed: int) -> None:
    """Measure the interpolating prover on random problems, and cvc5 for comparison."""
    random = Random(seed)
    walks = [_walk(random) for _ in range(PROBLEMS)]
    inequalities = (_inequality_steps(random) for _ in iter(int, 1))
    say(_row(f"{STEPS} steps, each given", (path_parts(*walk) for walk in walks)))
    say(_row(f"{STEPS} steps of {TRANSITIONS}", (_free_steps(*walk) for walk in walks)))
    say(_row(f"{INEQUALITY_STEPS} steps of inequalities", inequalities))


def _row(title: str, problems: Iterator[Sequence[Formula]]) -> str:
    """Return the line about the first problems of a kind that have interpolants."""
    measured = (
        measurement for parts in problems if (measurement := _measurement(parts)) is not None
    )
    seconds, steps, cvc5_seconds = zip(*islice(measured, PROBLEMS), strict=True)
    own_text = f"{median(seconds):.3f} s, at most {max(seconds):.3f} s"
    median_steps = f"{int(median(steps))} steps"
    return f"{title:24}  {own_text}  {median_steps:>10}  cvc5: {_cvc5_text(cvc5_seconds)}"


def _cvc5_text(cvc5_seconds: Sequence[float | None]) -> str:
    """Return a text about cvc5, from its seconds for each problem that it solves."""
    if find_spec("cvc5") is None:
        return "not installed"
    solved = [seconds for seconds in cvc5_seconds if seconds is not None]
    share = f"of {len(cvc5_seconds)} in {SECONDS:g} s"
    return f"{median(solved):.3f} s, {len(solved)} {share}" if solved else f"none {share}"


def _measurement(parts: Sequence[Formula]) -> tuple[float, int, float | None] | None:
    """Return the figures of one problem; None where there are no interpolants.

    Returns:
        CPU seconds from formulas to the interpolants of a sequence; the steps of the proof, 0 where
        quantifier elimination answered; and the seconds of cvc5 for one interpolant in the middle,
        None
        where it finds none.
    """
    start = time.process_time()
    result = interpolate_sequence(parts)
    seconds = time.process_time() - start
    if not isinstance(result, Interpolated):
        return None
    steps = len(result.by) if isinstance(result.by, Proof) else 0
    return seconds, steps, _cvc5_seconds(parts)


def _cvc5_seconds(parts: Sequence[Formula]) -> float | None:
    if find_spec("cvc5") is None:
        return None
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
    start = time.process_time()
    answers = run("\n".join(script), seconds=SECONDS)
    seconds = time.process_time() - start
    return seconds if answers and answers[0].startswith("(define-fun") else None


def _walk(random: Random) -> tuple[Problem, tuple[int, ...]]:
    """Return a target that no walk of some length covers, and a walk of that length."""
    while True:
        net = _net(random)
        firings: list[int] = []
        marking = net.initial
        while len(firings) < STEPS and (enabled := _enabled(net, marking)):
            firings.append(random.choice(enabled))
            marking = net.transitions[firings[-1]].fire(marking)
        place = random.randrange(PLACES)
        target = tuple(n + (p == place) for p, n in enumerate(marking))
        if len(firings) == STEPS and not _covered(net, target):
            bounds = (at_least(variable(p), n) for p, n in zip(net.places, target, strict=True))
            return make_problem(net, conjunction(bounds)), tuple(firings)


def _net(random: Random) -> Net:
    """Return a net whose transitions take from two places and put on two."""
    places = [f"p{number}" for number in range(PLACES)]

    def weights() -> dict[str, int]:
        return {place: random.choice((1, 1, 2)) for place in random.sample(places, 2)}

    arcs = {f"t{number}": (weights(), weights()) for number in range(TRANSITIONS)}
    return make_net("random", {place: random.randint(0, 2) for place in places}, arcs)


def _enabled(net: Net, marking: Marking) -> list[int]:
    return [n for n, transition in enumerate(net.transitions) if transition.enabled(marking)]


def _covered(net: Net, target: Marking) -> bool:
    """Return whether some walk of that length ends in the target or above."""
    ends = {net.initial}
    for _ in range(STEPS):
        ends = {net.transitions[n].fire(m) for m in ends for n in _enabled(net, m)}
    return any(all(n >= k for n, k in zip(m, target, strict=True)) for m in ends)


def _free_steps(problem: Problem, firings: Sequence[int]) -> Sequence[Formula]:
    """Return the problem with any transition in each step."""
    net = problem.net
    first, *_, last = path_parts(problem, firings)
    steps = (disjunction(step(net, t, k) for t in net.transitions) for k in range(STEPS))
    return [first, *steps, last]


def _inequality_steps(random: Random) -> list[Formula]:
    """Return steps that change places by any amount between two bounds.

    Some of the targets are reachable.
    """
    places = range(INEQUALITY_PLACES)
    moves = [
        [sorted((random.randint(-2, 2), random.randint(-2, 2))) for _ in places]
        for _ in range(INEQUALITY_TRANSITIONS)
    ]
    first = [limit for p in places for limit in _between(_place(p, 0), 0, 2)]
    steps = [
        disjunction(conjunction(_inequality_step(move, number)) for move in moves)
        for number in range(INEQUALITY_STEPS)
    ]
    weights = [random.choice((-1, 1, 1, 2)) for _ in places]
    best = max(_gain(weights, move) for move in moves)
    largest = _gain(weights, [(0, 2) for _ in places]) + INEQUALITY_STEPS * best
    end = linear((f"p{p}_{INEQUALITY_STEPS}", weight) for p, weight in enumerate(weights))
    return [conjunction(first), *steps, at_least(end, largest + random.choice((-1, 0, 1)))]


def _inequality_step(move: Sequence[Sequence[int]], number: int) -> Iterator[Formula]:
    """Yield the conditions of a step, before which the first two places have a token each."""
    for place, (least, largest) in enumerate(move):
        before, after = _place(place, number), _place(place, number + 1)
        yield at_least(before, 1 if place < 2 else 0)
        yield from _between(after - before, least, largest)


def _between(term: Term, least: int, largest: int) -> tuple[Formula, Formula]:
    return at_least(term, least), at_most(term, largest)


def _gain(weights: Sequence[int], changes: Sequence[Sequence[int]]) -> int:
    """Return the largest growth of the weighted sum in a step."""
    pairs = zip(weights, changes, strict=True)
    return sum(max(weight * low, weight * high) for weight, (low, high) in pairs)


def _place(place: int, number: int) -> Term:
    return variable(f"p{place}_{number}")

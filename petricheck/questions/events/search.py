"""What happens and what never does: a search for many events at once.

Cheap and shared work comes first: walks through much of the net, a short exploration and random
walks, which all open events watch; then the state equation for each event alone, best-first
searches, and a longer exploration; then the engine, for all that are left together, as one
question, and one by one, with more time in every round.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from petricheck import plugins
from petricheck.answer import Unreachable
from petricheck.budget import MEBIBYTE, Budget
from petricheck.claims import Excluded
from petricheck.engines import Engine
from petricheck.errors import BudgetExhausted
from petricheck.kernel.explore import Exploration
from petricheck.kernel.targets import Met
from petricheck.kernel.walk import Walk
from petricheck.problem import make_problem
from petricheck.questions.events.settling import Settling
from petricheck.questions.events.wandering import Wanderer

WALKS, FIRINGS = 8, 2_000
"""Walks through the net: how many without news are the last, and how many firings each has beside
some for every transition."""

MARKINGS, MEMORY = 2_000_000, 512 * MEBIBYTE
"""The exploration knows at most so many markings, in so many bytes."""

CHUNK = 50_000
"""Markings between two looks at the clock."""

WALKING, REFUTING, AIMING, EXPLORING, TOGETHER = 10.0, 60.0, 20.0, 20.0, 60.0
"""Most seconds of each step; each has at most a part of what is left."""

PATIENCE = 0.5
"""Random walks end after so many seconds without news, or as many as they took until the last."""

LENGTHS = (1_024, 64, 16_384)
"""Firings of a random walk, in turn."""

_SETTING_UP = 2e-5
"""Seconds for each place, arc and event until a search begins."""

EACH = 2.0
"""Seconds of the state equation for one event."""

ROUND = 4.0
"""Seconds for each question to the engine in the first round."""


def settle(settling: Settling) -> None:
    """Have proved of events that they happen, or that they never do, until it is enough.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    steps: tuple[Callable[[Settling], None], ...]
    steps = (_wander, _look_around, _walk, _refute, _aim, _explore, _ask_together, _ask)
    for step in steps:
        if not settling.enough:
            settling.study.budget.check()
            step(settling)


def _wander(settling: Settling) -> None:
    """Walk through much of the net."""
    net, limits = settling.study.net, settling.study.budget.part(8, WALKING)
    wanderer, idle = Wanderer(net), 0
    while idle < WALKS and limits.remaining and not settling.enough:
        before = len(settling.open)
        settling.follow_word(wanderer.walk(FIRINGS + 4 * len(net.transitions), limits))
        idle = idle + 1 if len(settling.open) == before else 0


def _look_around(settling: Settling) -> None:
    """Explore what is near."""
    _explored(settling, CHUNK, settling.study.budget.part(8))


def _aim(settling: Settling) -> None:
    """Best-first searches that aim at one open event after the other, and see the others."""
    limits = settling.study.budget.part(3, AIMING)
    if not _prepares(settling, limits):
        return
    questions = settling.questions()
    engine, names = plugins.build("engines", "best_first"), tuple(questions.values())
    problems = [make_problem(settling.study.net, target) for target in questions]
    with suppress(BudgetExhausted):
        for number, answer in engine.solve_together(problems, limits):
            if names[number] in settling.open:
                settling.follow(answer.trace)
            if settling.enough:
                return


def _explore(settling: Settling) -> None:
    """Explore more."""
    _explored(settling, MARKINGS, settling.study.budget.part(4, EXPLORING))


def _prepares(settling: Settling, limits: Budget) -> bool:
    """Whether the time suffices for what a search makes of the net and the open events first."""
    net = settling.study.net
    arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
    return limits.remaining > _SETTING_UP * (len(net.places) + arcs + len(settling.open))


def _explored(settling: Settling, most: int, limits: Budget) -> None:
    """Explore so many markings; where these are all, ask the engine for the proof."""
    if not _prepares(settling, limits):
        return
    study, questions, shown = settling.study, settling.questions(), list[Met]()
    with suppress(BudgetExhausted):  # Numbers that do not fit the compiled loops.
        seen = Exploration(study.net, tuple(questions), MEMORY)
        while seen.open and limits.remaining and seen.size < most and not seen.ended:
            study.budget.report(f"{seen.size} markings, {len(seen.open)} events open")
            shown += seen.run(min(CHUNK, seen.pace))
        settling.follow_met(tuple(questions.values()), shown)
        if seen.exhausted and not seen.unwatched and not settling.enough:
            settling.decide(tuple(settling.open), settling.study.budget.part(2))


def _walk(settling: Settling) -> None:
    """Walk at random, as long as there is news."""
    study, limits = settling.study, settling.study.budget.part(6, WALKING)
    if not _prepares(settling, limits):
        return
    questions, shown = settling.questions(), list[Met]()
    with suppress(BudgetExhausted):  # Numbers that do not fit the compiled loops.
        walk = Walk(study.net, tuple(questions))
        started = latest = time.monotonic()
        turn = 0
        while walk.open and not walk.stuck and limits.remaining:
            news = walk.run(walk.pace, LENGTHS[turn % len(LENGTHS)])
            turn += 1
            shown += news
            now = time.monotonic()
            latest = now if news else latest
            if now - latest > max(PATIENCE, latest - started):
                break
            study.budget.report(f"{walk.firings} steps, {len(walk.open)} events open")
    settling.follow_met(tuple(questions.values()), shown)


def _refute(settling: Settling) -> None:
    """The state equation for one event after the other."""
    study, limits = settling.study, settling.study.budget.part(3, REFUTING)
    engine: Engine = plugins.build("engines", "state_equation")
    for target, name in settling.questions().items():
        if settling.enough or not limits.remaining:
            return
        if name not in settling.open:
            continue
        study.budget.report(f"state equation, {len(settling.open)} events open")
        with suppress(BudgetExhausted):
            problem = make_problem(study.net, target)
            answer = engine.solve(problem, limits.within(EACH))
            if isinstance(answer, Unreachable):
                study.prove(Excluded(problem.target, answer.certificate))
                settling.exclude(problem.target)


def _ask_together(settling: Settling) -> None:
    """The engine, for each of them in searches that they share."""
    limits = settling.study.budget.part(2, TOGETHER)
    if _prepares(settling, limits):
        settling.decide_together(limits)


def _ask(settling: Settling) -> None:
    """The engine: for all as one question, then for each, until it gives up on all of them."""
    seconds, hopeless = ROUND, set[str]()
    while not settling.enough and not hopeless.issuperset(settling.open):
        settling.study.budget.check()
        if len(settling.open) > 1:
            settling.decide(tuple(settling.open), settling.study.budget.part(2, seconds))
        for name in tuple(settling.open):
            if settling.enough:
                return
            if name in settling.open and name not in hopeless:
                settling.study.budget.check()  # Each engine's start costs, even without time.
                limits = settling.study.budget.part(len(settling.open), seconds)
                settling.decide((name,), limits)
                if limits.remaining:
                    hopeless.add(name)
        seconds *= 2

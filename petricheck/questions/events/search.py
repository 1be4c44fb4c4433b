"""What happens and what never does: a search for many events at once.

Cheap and shared work comes first: a short exploration and walks through much of the net, which all
open events watch; then walks along solutions of the state equation, proofs by it, best-first
searches, and a longer exploration; then the engine, for all that are left together, as one
question, and one by one, with more time in every round.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from petricheck import plugins
from petricheck.answer import Reachable, Trace
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.kernel.tour import Tour
from petricheck.problem import make_problem
from petricheck.questions.events.settling import Settling

FIRINGS = 500
"""Of walks in plain Python, which take some hundredths of a second."""

WANDERING, WALKING, REFUTING, AIMING, EXPLORING, TOGETHER = 0.3, 10.0, 60.0, 20.0, 20.0, 60.0
"""Most seconds of each step; each has at most a part of what is left."""

PATIENCE, SHORT = 0.5, 0.1
"""CPU seconds of walks without news that are the last: compiled, and in plain Python."""

LONGEST, SLICES = 1 << 16, 16
"""Firings of the longest of these walks; parts of some hundredths of a second after which a walk
starts over in any case."""

SETTING_UP = 2e-5
"""Seconds for each place, arc and event until a search begins."""

ROUND = 4.0
"""Seconds for each question to the engine in the first round."""


def settle(settling: Settling) -> None:
    """Have proved of events that they happen, or that they never do, until it is enough.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    steps: tuple[tuple[Callable[[Settling, Budget], None], float, float], ...] = (
        (partial(_tour, plain=True), 8, WANDERING),
        (partial(_search, engine="explicit:markings=50000"), 8, EXPLORING),
        (_tour, 6, WALKING),
        (partial(_aim, engine="parikh_walk"), 3, AIMING),
        (partial(_aim, engine="state_equation"), 3, REFUTING),
        (partial(_search, engine="best_first"), 3, AIMING),
        (partial(_search, engine="explicit:markings=2000000,memory=512"), 4, EXPLORING),
        (_ask_together, 2, TOGETHER),
        (_ask, 1, float("inf")),
    )
    for step, part, seconds in steps:
        if not settling.enough:
            settling.study.budget.check()
            step(settling, settling.study.budget.part(part, seconds))


def _tour(settling: Settling, limits: Budget, plain: bool = False) -> None:
    """Walks through much of the net, as long as there is news."""
    if not _prepares(settling, limits):
        return
    parts = settling.parts()
    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        tour = Tour(settling.study.net, parts, plain=plain)
        firings = FIRINGS if plain else max(1, tour.pace // SLICES)
        patience = SHORT if plain else PATIENCE
        end = time.process_time() + patience
        while not settling.enough and tour.open and not tour.stuck and time.process_time() < end:
            tour.go_to(tour.start)
            passed = tour.wander(firings, LONGEST)
            if passed is not None:
                settling.pass_by(passed.trace, ((n, parts[k]) for n, k in passed.stops))
                end = time.process_time() + patience
            settling.study.budget.report(f"walks, {len(settling.open)} events open")
            limits.check()


def _search(settling: Settling, limits: Budget, engine: str) -> None:
    """An engine that watches for all open events; what it proves is proved as one question."""
    if not _prepares(settling, limits):
        return
    questions, traces = settling.questions(), dict[str, Trace]()
    names = tuple(questions.values())
    problems = [make_problem(settling.study.net, target) for target in questions]
    exhausted = False
    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        for number, answer in plugins.build("engines", engine).solve_together(problems, limits):
            exhausted = not isinstance(answer, Reachable)
            if exhausted:
                break
            traces[names[number]] = answer.trace
    # The longest trace first, since it shows the most.
    for name in sorted(traces, key=lambda name: -len(traces[name].steps)):
        if name in settling.open:
            settling.follow(traces[name])
    if exhausted and not settling.enough:
        settling.decide(tuple(settling.open), settling.study.budget.part(2))


def _prepares(settling: Settling, limits: Budget) -> bool:
    """Whether the time suffices for what a search makes of the net and the open events first."""
    net = settling.study.net
    arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
    return limits.remaining > SETTING_UP * (len(net.places) + arcs + len(settling.open))


def _aim(settling: Settling, limits: Budget, engine: str) -> None:
    """An engine that decides one event after the other, in what they share."""
    if not _prepares(settling, limits):
        return
    questions, names = zip(*settling.questions().items(), strict=True)
    problems = [make_problem(settling.study.net, target) for target in questions]
    sharing = plugins.build("engines", engine)

    def is_open(number: int) -> bool:
        return names[number] in settling.open

    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        for number, answer in sharing.solve_together(problems, limits, is_open):
            if isinstance(answer, Reachable):
                settling.follow(answer.trace)
            else:
                settling.refuse(questions[number], answer.certificate)
            if settling.enough:
                return


def _ask_together(settling: Settling, limits: Budget) -> None:
    """The engine, for each of them in searches that they share."""
    if _prepares(settling, limits):
        settling.decide_together(limits)


def _ask(settling: Settling, limits: Budget) -> None:
    """The engine: for all as one question, then for each, until it gives up on all of them."""
    seconds, hopeless = ROUND, set[str]()
    while not settling.enough and not hopeless.issuperset(settling.open):
        limits.check()
        if len(settling.open) > 1:
            settling.decide(tuple(settling.open), limits.part(2, seconds))
        for name in tuple(settling.open):
            if settling.enough:
                return
            if name in settling.open and name not in hopeless:
                limits.check()  # Each engine's start costs, even without time.
                own = limits.part(len(settling.open), seconds)
                settling.decide((name,), own)
                if own.remaining:
                    hopeless.add(name)
        seconds *= 2

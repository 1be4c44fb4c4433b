"""What happens and what never does: a search for many events at once.

Cheap and shared work comes first: walks through much of the net, a short exploration and random
walks, which all open events watch; then the state equation for each event alone, best-first
searches, and a longer exploration; then the engine, for all that are left together, as one
question, and one by one, with more time in every round.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from petricheck import plugins
from petricheck.answer import Reachable, Trace
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.problem import make_problem
from petricheck.questions.events.settling import Settling
from petricheck.questions.events.wanderer import Wanderer

WALKS, FIRINGS = 8, 2_000
"""Walks through the net: how many without news are the last, and how many firings each has beside
some for every transition."""

WALKING, REFUTING, AIMING, EXPLORING, TOGETHER = 10.0, 60.0, 20.0, 20.0, 60.0
"""Most seconds of each step; each has at most a part of what is left."""

PATIENCE, IDLE = 0.4, 2
"""Seconds of the first random walks, each next ones taking twice as long, and how many without news
are the last."""

SETTING_UP = 2e-5
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
    steps: tuple[tuple[Callable[[Settling, Budget], None], float, float], ...] = (
        (_wander, 8, WALKING),
        (partial(_search, engine="explicit:markings=50000"), 8, EXPLORING),
        (_walk, 6, WALKING),
        (_refute, 3, REFUTING),
        (partial(_search, engine="best_first"), 3, AIMING),
        (partial(_search, engine="explicit:markings=2000000,memory=512"), 4, EXPLORING),
        (_ask_together, 2, TOGETHER),
        (_ask, 1, float("inf")),
    )
    for step, part, seconds in steps:
        if not settling.enough:
            settling.study.budget.check()
            step(settling, settling.study.budget.part(part, seconds))


def _wander(settling: Settling, limits: Budget) -> None:
    """Walk through much of the net."""
    net = settling.study.net
    wanderer, idle = Wanderer(net), 0
    while idle < WALKS and limits.remaining and not settling.enough:
        before = len(settling.open)
        settling.follow_word(wanderer.walk(FIRINGS + 4 * len(net.transitions), limits))
        idle = idle + 1 if len(settling.open) == before else 0


def _walk(settling: Settling, limits: Budget) -> None:
    """Walk at random, as long as there is news."""
    turn = idle = 0
    while idle < IDLE and limits.remaining and not settling.enough:
        before, walks = len(settling.open), f"random_walk:seed={turn},length=4"
        _search(settling, limits.within(PATIENCE * 2**turn), walks)
        idle = idle + 1 if len(settling.open) == before else 0
        turn += 1


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


def _refute(settling: Settling, limits: Budget) -> None:
    """The state equation for one event after the other."""
    for name in tuple(settling.questions().values()):
        if settling.enough or not limits.remaining:
            return
        if name in settling.open:
            settling.study.budget.report(f"state equation, {len(settling.open)} events open")
            settling.decide((name,), limits.within(EACH), "state_equation")


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

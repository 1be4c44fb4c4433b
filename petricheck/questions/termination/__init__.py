"""Runs that end, and loops that can be repeated for ever.

An infinite run fires some transitions infinitely often. Those that it may fire again and again are
*exempt*: the question is whether some infinite run fires exempt ones finitely often only. By
Dickson's lemma such a run passes through a marking, and later through one that is nowhere less,
without an exempt transition in between: the firings between them are a *loop*, which takes no token
all in all. Transitions that stand for an initial value "at least so many tokens" are exempt: where
a run fires them finitely often, these firings may come first, since more tokens disable nothing. So
the answer is about all initial markings.

This module says what follows from proved claims. `ranking` has what all firings lower; `cycles`
decides nets whose markings are all explored; `loops` searches for loops in others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass

from petricheck.evidence.claims import Claim, InfiniteRun, Terminating
from petricheck.formats.language.enabling import ways
from petricheck.model.net import Net
from petricheck.questions.events import Events, MarkingEvent


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """What claims say of the infinite runs that fire exempt transitions finitely often only.

    Attributes:
        value: whether there are none; None where that is open.
        loop: ids of transitions that one of them fires again and again.
        dead: ids of transitions that never fire, which the claims need.
    """

    value: bool | None
    loop: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()


def ending(net: Net, exempt: Set[int], claims: Sequence[Claim]) -> RunVerdict:
    """Return what follows from proved claims, for these numbers of exempt transitions."""
    for claim in claims:
        match claim:
            case InfiniteRun(stage):
                fired = dict.fromkeys(net.transition_numbers[name] for name, _ in stage.loop.steps)
                if exempt.isdisjoint(fired):
                    return RunVerdict(False, loop=tuple(net.actions[number] for number in fired))
            case Terminating(names):
                others = [
                    n for n in map(net.transition_numbers.__getitem__, names) if n not in exempt
                ]
                _, never = enabled_events(net, others).decided(claims if others else ())
                if len(never) == len(set(others)):
                    return RunVerdict(True, dead=tuple(net.actions[n] for n in sorted(set(others))))
    return RunVerdict(None)


def enabled_events(net: Net, numbers: Collection[int]) -> Events:
    """Return the events that these transitions are enabled, by id."""
    chosen = (net.transitions[number] for number in dict.fromkeys(numbers))
    return Events(tuple(MarkingEvent(t.name, tuple(ways(net, ((t.pre,),)))) for t in chosen))

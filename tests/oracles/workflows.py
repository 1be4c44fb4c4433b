"""Workflow nets of any size: sound by construction, and broken in one place.

A block leads from one place to another. It is refined until there are enough transitions: into a
sequence, a choice, a parallel part or a loop, each of which keeps soundness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random

from guarded_oracle import Drafted, Rule
from home_spaces import reachable_from
from hypothesis import strategies as st
from oracle import successor

from petricheck.model.net import Marking, Net, Transition, make_net

Arcs = dict[str, int]


@dataclass
class Workflow:
    """A workflow net that is being made.

    Attributes:
        places: how many there are, beside the source `i` and the sink `o`.
        transitions: inputs and outputs by name.
        parallel: names of the transition that splits and of the one that joins, of each parallel
            part.
        choices: the places at which a choice begins and ends.
    """

    places: int = 0
    transitions: dict[str, tuple[Arcs, Arcs]] = field(default_factory=dict)
    parallel: list[tuple[str, str]] = field(default_factory=list)
    choices: list[tuple[str, str]] = field(default_factory=list)

    def place(self) -> str:
        """A new place."""
        self.places += 1
        return f"p{self.places}"

    def step(self, before: Arcs, after: Arcs) -> str:
        """A new transition."""
        name = f"t{len(self.transitions)}"
        self.transitions[name] = before, after
        return name

    def net(self, name: str = "workflow") -> Net:
        """As it is now."""
        places = {"i": 1} | {f"p{n + 1}": 0 for n in range(self.places)} | {"o": 0}
        return make_net(name, places, self.transitions)


def sound_workflow(size: int, chance: Random) -> Workflow:
    """A workflow of about so many transitions."""
    made = Workflow()
    blocks = [("i", "o")]
    while len(blocks) + len(made.transitions) < size:
        begin, end = blocks.pop(chance.randrange(len(blocks)))
        match chance.choice(("sequence", "choice", "parallel", "loop")):
            case "sequence":
                middle = made.place()
                blocks += [(begin, middle), (middle, end)]
            case "choice":
                made.choices.append((begin, end))
                blocks += [(begin, end)] * 2
            case "parallel":
                branches = [(made.place(), made.place()) for _ in range(chance.choice((2, 2, 3)))]
                split = made.step({begin: 1}, {first: 1 for first, _ in branches})
                join = made.step({last: 1 for _, last in branches}, {end: 1})
                made.parallel.append((split, join))
                blocks += branches
            case "loop":
                first, last = made.place(), made.place()
                made.step({begin: 1}, {first: 1})
                made.step({last: 1}, {end: 1})
                blocks += [(first, last), (last, first)]
    for begin, end in blocks:
        made.step({begin: 1}, {end: 1})
    return made


def severed(made: Workflow, chance: Random) -> str:
    """Leave out an arc into a joining transition; the place that is then a second sink."""
    _, join = chance.choice(made.parallel)
    before, _ = made.transitions[join]
    place = chance.choice(sorted(before))
    del before[place]
    return place


def unjoined(made: Workflow, chance: Random) -> str:
    """Let each branch of a parallel part go on by itself; the place where the branches end."""
    _, join = chance.choice(made.parallel)
    before, after = made.transitions.pop(join)
    for place in before:
        made.transitions[f"{join}_{place}"] = {place: 1}, dict(after)
    (end,) = after
    return end


def mismatched(made: Workflow, chance: Random) -> str:
    """Choose where a parallel part splits; the joining transition, which is never enabled then."""
    split, join = chance.choice(made.parallel)
    before, after = made.transitions.pop(split)
    for place in after:
        made.transitions[f"{split}_{place}"] = dict(before), {place: 1}
    return join


Break = Callable[[Workflow, Random], str]
GRADES = ("easy", "relaxed", "weak", "classical")


def last(net: Net | Drafted) -> Marking:
    """One token on the sink, which is the last place."""
    return tuple(int(n == len(net.places) - 1) for n in range(len(net.places)))


def is_sound(net: Net | Drafted, grade: str, finals: Sequence[Marking]) -> bool | None:
    """By definition; None where there are many markings."""
    behind = reachable_from(net)
    if behind is None:
        return None
    if grade == "easy":
        return not behind.keys().isdisjoint(finals)
    if grade == "relaxed":
        return on_no_way(net, finals) == []
    if any(reached.isdisjoint(finals) for reached in behind.values()):
        return False
    for marking, final in product(behind, finals):
        if marking not in finals and all(m >= f for m, f in zip(marking, final, strict=True)):
            return False
    return grade == "weak" or all(_after(t, behind) for t in net.transitions)


def on_no_way(net: Net | Drafted, finals: Sequence[Marking]) -> list[str]:
    """By definition: no firing in a reachable marking leads to where a final one can be reached."""
    behind = reachable_from(net) or {}
    return [
        t.name
        for t in net.transitions
        if all(behind[m].isdisjoint(finals) for m in _after(t, behind))
    ]


def _after(transition: Transition | Rule, markings: Iterable[Marking]) -> set[Marking]:
    """The markings after a firing in one of these."""
    after = {successor(marking, transition) for marking in markings}
    return {marking for marking in after if marking is not None}


def bridged(made: Workflow, chance: Random) -> str:
    """Let some transition take another token, or put one, at a place in the middle."""
    name = chance.choice(sorted(made.transitions))
    place = f"p{chance.randint(1, made.places)}" if made.places else "o"
    arcs = made.transitions[name][0 if made.places and chance.random() < 0.5 else 1]
    arcs[place] = arcs.get(place, 0) + 1
    return name


BREAKS: tuple[Break, ...] = (lambda made, chance: "", bridged, unjoined, mismatched)


@st.composite
def workflows(draw: st.DrawFn) -> Net:
    """Workflow nets of a few transitions, sound or not."""
    chance = Random(draw(st.integers(0, 10_000)))
    made = sound_workflow(chance.randint(2, 8), chance)
    broken = chance.choice(BREAKS)
    if made.parallel or broken not in (unjoined, mismatched):
        broken(made, chance)
    net = made.net()
    if chance.random() < 0.2 and len(net.places) > 2:
        net = replace(net, finals=(last(net), tuple(int(p == "p1") for p in net.places)))
    return net

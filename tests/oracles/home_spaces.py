"""Home spaces by definition, on small nets; nets and true claims for their tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from guarded_oracle import Drafted
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, successor

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Formula,
    at_least,
    at_most,
    conjunction,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import Claim, ExcludedAfter, Home
from petricheck.explicit.kernel.arrays import integers
from petricheck.explicit.kernel.packing import fields_of, pack, ranked_certificate
from petricheck.model.net import Marking, Net, Weights, make_net

p, q, r = (variable(name) for name in "pqr")
FORK = net_of("p=1 q=0 r=0, go: p -> q, back: q -> p, leave: p -> r")
"""A token between p and q, until it leaves for r."""


def reachable_from(net: Net | Drafted) -> dict[Marking, set[Marking]] | None:
    """By reachable marking those that can be reached from it; None where there are many."""
    markings = explore(net, 60)
    if markings is None:
        return None
    after = {m: {s for t in net.transitions if (s := successor(m, t))} for m in markings}
    behind = {m: {m} for m in markings}
    changed = True
    while changed:
        changed = False
        for marking, successors in after.items():
            for further in successors:
                if not behind[further] <= behind[marking]:
                    behind[marking] |= behind[further]
                    changed = True
    return behind


def is_home(net: Net, formula: Formula, behind: dict[Marking, set[Marking]]) -> bool:
    """By definition: from every reachable marking one in the formula can be reached."""
    inside = {marking for marking in behind if evaluate(formula, net.values(marking))}
    return all(inside & reached for reached in behind.values())


def table_of(net: Net, *lines: tuple[str, int, str]) -> RankedTable:
    """Rows read (`p q`, rank, transition), with the marked places."""
    bits = tuple((place, 2) for place in net.places)
    columns = [integers(text.split().count(place) for text, _, _ in lines) for place in net.places]
    words = pack(fields_of(bits), len(lines), columns)
    numbers = integers(rank for _, rank, _ in lines)
    names = tuple(dict.fromkeys(name for _, _, name in lines))
    actions = np.array([names.index(name) for _, _, name in lines], dtype=np.uint32)
    table = ranked_certificate(bits, words, numbers, actions, names)
    assert table is not None
    return table


def trace(*names: str) -> Trace:
    return Trace(tuple((name, 1) for name in names))


LEFT = table_of(FORK, ("p", 1, "leave"), ("q", 2, "back"), ("r", 0, "go"))
"""From everywhere the token can leave."""
AWAY = equal(r, 1)
ONWARD = OnwardTraces(((("r", 1),),), LEFT, ((trace(),),))
TRUE_CLAIMS: dict[str, Claim] = {
    "ranks that fall": Home((AWAY,), LEFT),
    "several formulas": Home((AWAY, at_most(p, 0)), LEFT),
    "ranks that fall by more than one": Home(
        (AWAY,), table_of(FORK, ("p", 7, "leave"), ("q", 9, "back"), ("r", 0, "go"))
    ),
    "rows that are not reachable": Home(
        (at_most(r, 1),), table_of(FORK, *((m, 0, "go") for m in ("p", "q", "r", "")))
    ),
    "a row of rank 0 whose transition has no name": Home(
        (AWAY,), replace(LEFT, transitions=LEFT.transitions.replace(bytes([0, 0, 0, 2]), b"\7" * 4))
    ),
    "traces that lead on": Home((AWAY, at_most(q, 0)), replace(ONWARD, traces=((trace(),) * 2,))),
    "nothing after the last firing": ExcludedAfter(
        trace("leave"), at_least(p + q, 1), table_of(FORK, ("r", 0, "go")).table
    ),
}


SWING = net_of("p=1 q=0, go: p -> q, back: q -> p")
GROWTH = net_of("p=0 s=1, put: s -> 3 p + s, take: p ->")
"""Unbounded; what is put is taken one by one."""


def enabling(net: Net) -> tuple[Formula, ...]:
    """That a transition is enabled, for each."""
    return tuple(dict.fromkeys(holding(net, t.pre) for t in net.transitions))


def holding(net: Net, weights: Weights) -> Formula:
    """That at least these tokens are there."""
    return conjunction(at_least(variable(net.places[place]), n) for place, n in weights)


def covering(net: Net, least: Marking) -> list[Marking] | None:
    """The least markings from which at least these tokens can be reached; None if too many."""
    basis, waiting = [least], [least]
    while waiting:
        goal = waiting.pop()
        for transition in net.transitions:
            pre, change = dict(transition.pre), dict(transition.effect)
            before = tuple(
                max(pre.get(place, 0), n - change.get(place, 0)) for place, n in enumerate(goal)
            )
            if not any(map(dominates, [before] * len(basis), basis)):
                basis = [other for other in basis if not dominates(other, before)] + [before]
                waiting.append(before)
        if len(basis) > 60:
            return None
    return basis


def dominates(marking: Marking, least: Marking) -> bool:
    return all(a >= b for a, b in zip(marking, least, strict=True))


@st.composite
def free_choices(draw: st.DrawFn) -> Net:
    """Free-choice nets, refined step by step; many are live."""
    transitions = {"t0": ({"p0"}, {"p1"}), "t1": ({"p1"}, {"p0"})}
    places = ["p0", "p1"]
    for number in range(2, draw(st.integers(2, 6))):
        name, place = f"t{number}", f"p{number}"
        old = draw(st.sampled_from(sorted(transitions)))
        pre, post = transitions[old]
        other = draw(st.sampled_from(sorted(transitions)))
        alone = sum(taken == transitions[other][0] for taken, _ in transitions.values()) == 1
        match draw(st.sampled_from(("sequence", "choice", "place"))):
            case "sequence":
                transitions[old], transitions[name] = (pre, {place}), ({place}, post)
                places.append(place)
            case "choice":
                transitions[name] = pre, transitions[other][1]
            case "place" if alone:
                transitions[old] = pre, {*post, place}
                taken, put = transitions[other]
                transitions[other] = {*taken, place}, put
                places.append(place)
    arcs = {
        name: (dict.fromkeys(sorted(pre), 1), dict.fromkeys(sorted(post), 1))
        for name, (pre, post) in transitions.items()
    }
    return make_net("choice", {place: draw(st.integers(0, 2)) for place in places}, arcs)


@st.composite
def machines(draw: st.DrawFn) -> Net:
    """Free-choice nets of two state machines with common transitions; many are not reversible."""
    sizes = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    left = [[f"{name}{n}" for n in range(size)] for name, size in zip("ab", sizes, strict=True)]
    initial = {place: draw(st.integers(0, 1)) for group in left for place in group}
    transitions = {}
    while any(left):
        groups = [group for group in left if group]
        chosen = draw(st.sampled_from([[group] for group in groups] + [groups]))
        pre = {group.pop() for group in chosen}
        for _ in range(draw(st.integers(1, 2))):
            names = ([place for place in initial if place[0] == taken[0]] for taken in sorted(pre))
            post = [draw(st.sampled_from(places)) for places in names]
            transitions[f"t{len(transitions)}"] = dict.fromkeys(pre, 1), dict.fromkeys(post, 1)
    return make_net("machines", initial, transitions)


def is_connected(net: Net) -> bool:
    """Whether arcs of any direction join all places and transitions."""
    joined = {0}
    for _ in net.places:
        for transition in net.transitions:
            nodes = {place for place, _ in (*transition.pre, *transition.post)}
            joined |= nodes if nodes & joined else set()
    return len(joined) == len(net.places)


DRAINED = net_of(
    "p=1 q=1 r=0 s=0, leave: p -> r, call: p -> p + s, come: s -> p, put: q -> q + r, take: r ->"
)
"""Unbounded; firings return, but all on p and s may leave."""


FALSE_CLAIMS: dict[str, tuple[Claim, str]] = {
    "a rank that does not fall": (
        Home((equal(q, 1),), table_of(FORK, ("p", 1, "go"), ("q", 0, "go"), ("r", 1, "leave"))),
        "leads to no lower rank",
    ),
    "ranks in a circle": (
        Home((AWAY,), table_of(FORK, ("p", 1, "go"), ("q", 1, "back"), ("r", 0, "go"))),
        "leads to no lower rank",
    ),
    "a transition that leads up": (
        Home((AWAY,), table_of(FORK, ("p", 1, "go"), ("q", 2, "back"), ("r", 0, "go"))),
        "leads to no lower rank",
    ),
    "rank 0 outside of the formula": (
        Home((equal(q, 1),), LEFT),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "rank 0 outside of the last formula": (
        Home((AWAY, equal(q, 1)), LEFT),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "no initial marking": (
        Home((AWAY,), table_of(FORK, ("r", 0, "go"))),
        "the initial marking is not in the table",
    ),
    "rows that firings leave": (
        Home((equal(q, 1),), table_of(FORK, ("p", 1, "go"), ("q", 0, "go"))),
        "leaves the table",
    ),
    "no rows where nothing is": (Home((FALSE,), LEFT), "is not in the home space"),
    "no formulas": (Home((), LEFT), "no home space is named"),
    "a formula about no place": (Home((equal(variable("x"), 0),), LEFT), "no place of the net"),
    "half of the ranks": (
        Home((AWAY,), replace(LEFT, ranks=LEFT.ranks[:-4])),
        "not a rank and a transition for each row",
    ),
    "half of the transitions": (
        Home((AWAY,), replace(LEFT, transitions=LEFT.transitions[4:])),
        "not a rank and a transition for each row",
    ),
    "a transition without a name": (
        Home((AWAY,), replace(LEFT, names=("leave",))),
        "the transition of some row has no name",
    ),
    "a transition of another net": (
        Home((AWAY,), replace(LEFT, names=("leave", "fly", "go"))),
        "no transition of the net",
    ),
    "rows without a place": (
        Home((AWAY,), replace(LEFT, table=replace(LEFT.table, layout=LEFT.table.layout[1:]))),
        "a field for every place",
    ),
    "rows that count a place with another": (
        Home((AWAY,), replace(LEFT, table=replace(LEFT.table, counted=(("r", (("p", 1),)),)))),
        "counts no others",
    ),
    "rows that end too soon": (
        Home((AWAY,), replace(LEFT, table=replace(LEFT.table, rows=LEFT.table.rows[:-1]))),
        "ends within a row",
    ),
    "traces into another marking": (
        Home((equal(q, 1),), ONWARD),
        "a trace does not lead from a home marking into its formula",
    ),
    "traces that do not fire": (
        Home((equal(q, 1),), replace(ONWARD, traces=((trace("go"),),))),
        "cannot fire",
    ),
    "one trace too few": (
        Home((AWAY, at_most(q, 0)), ONWARD),
        "not a trace into each of the formulas",
    ),
    "traces of no marking": (
        Home((AWAY,), replace(ONWARD, traces=())),
        "not traces for each of the home markings",
    ),
    "a proof about other markings": (
        Home((at_least(p + q, 1),), replace(ONWARD, markings=((("p", 1),),), traces=((trace(),),))),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "a proof about a marking that differs on the first place": (
        Home(
            (conjunction((equal(p, 1), AWAY)),),
            replace(ONWARD, markings=((("p", 1), ("r", 1)),)),
        ),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "a proof about a marking that differs on the last place": (
        Home((at_least(r, 2),), replace(ONWARD, markings=((("r", 2),),))),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "no home marking": (
        Home((at_least(p + q, 1),), replace(ONWARD, markings=(), traces=())),
        "is not in the home space",
    ),
    "a marking of another net": (
        Home((AWAY,), replace(ONWARD, markings=((("x", 1),),))),
        "one that the net has not",
    ),
    "a place twice": (
        Home((AWAY,), replace(ONWARD, markings=((("r", 1), ("r", 1)),))),
        "names a place twice",
    ),
    "half a token": (
        Home((AWAY,), replace(ONWARD, markings=((("r", 0.5),),))),  # type: ignore[arg-type]
        "something else than numbers of tokens",
    ),
    "fewer tokens than none, and more elsewhere": (
        Home((at_least(q, 0),), replace(ONWARD, markings=((("r", 1), ("q", -1)),))),
        "something else than numbers of tokens",
    ),
    "fewer tokens than none": (
        Home((AWAY,), replace(ONWARD, markings=((("r", -1),),))),
        "something else than numbers of tokens",
    ),
    "a proof within a proof": (
        Home((AWAY,), replace(ONWARD, proof=ONWARD)),
        "is nested",
    ),
    "a certificate of what is never reached": (
        Home((AWAY,), LEFT.table),
        "nothing audits proofs of type 'MarkingTable'",
    ),
    "a marking that reaches the formula after all": (
        ExcludedAfter(trace("go"), AWAY, table_of(FORK, ("q", 0, "go")).table),
        "leaves the table",
    ),
    "a table that has the formula": (
        ExcludedAfter(trace("go"), AWAY, LEFT.table),
        "does not exclude the target: r = 1",
    ),
    "a certificate about the initial marking": (
        ExcludedAfter(trace("leave"), AWAY, table_of(FORK, ("p", 0, "go"), ("q", 0, "go")).table),
        "the initial marking is not in the table",
    ),
    "a trace that does not fire": (
        ExcludedAfter(trace("back", "leave"), at_least(p, 1), table_of(FORK, ("r", 0, "go")).table),
        "cannot fire",
    ),
}

"""Nets with several initial markings: all that satisfy a formula.

The formula's solutions are linear sets (`arithmetic.formulas.linear_sets`). Engines see one initial
marking, the least tokens of all bases, and added transitions that need nothing and put the rest:
one of them a base, and any number of them periods. More tokens disable nothing, so they may as well
fire first: what is reachable is reachable from one of the initial markings, and conversely. The net
itself does not say that only one base is put. `with_choice` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import sub
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    conjunction,
    equal,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.model.net import Net, Transition, Weights
from petricheck.model.problem import Problem
from petricheck.support.errors import BudgetExhausted, QueryError

if TYPE_CHECKING:
    from petricheck.arithmetic.formulas.linear_sets import Vector

ORDINARY = (
    "several initial markings are asked only of nets without colours, inhibitor arcs, resets and "
    "capacities"
)


def with_initial(net: Net, formula: Formula, *, asked: bool = True) -> Net:
    """Return the net with the initial markings that satisfy a formula over its place ids.

    It is `asked` where the net's file does not have it. QueryError where there are none, they are
    too complex, or the net is coloured or guarded or has several initial markings already.
    """
    if net.origin is not None:
        raise QueryError(ORDINARY)
    if net.initials is not None:
        raise QueryError("the file has initial values that are not fixed; fix them there")
    # Few nets have several.
    from petricheck.arithmetic.formulas.linear_sets import linear_sets
    from petricheck.model.initial_markings import AddedSet, InitialMarkings

    names = variables(formula)
    try:
        sets = linear_sets(formula)
    except BudgetExhausted as error:
        raise QueryError(
            f"the formula of the initial markings is too complex: {error}; ask "
            "about a part, or about at least so many tokens instead of at most so many"
        ) from None
    bases = [base for linear_set in sets for base in linear_set.bases]
    if not bases:
        raise QueryError("no marking satisfies the formula of the initial markings")
    least = tuple(map(min, zip(*bases, strict=True)))
    numbers = [net.place_numbers[name] for name in names]
    used, added = {*net.actions}, list[Transition]()

    def add(name: str, tokens: Vector) -> str:
        weights = sorted((p, n) for p, n in zip(numbers, tokens, strict=True) if n)
        added.append(Transition(_fresh(name, used, "_"), (), tuple(weights)))
        used.add(added[-1].name)
        return added[-1].name

    add_sets = []
    for linear_set in sets:
        choices = linear_set.bases if len(bases) > 1 else ()
        rests = [tuple(map(sub, base, least)) for base in choices]
        own = tuple(add(f"init_{len(used)}", rest) for rest in rests)
        more = tuple(add(_name(names, period), period) for period in linear_set.periods)
        add_sets.append(AddedSet(own, more))
    start = dict(enumerate(net.initial)) | dict(zip(numbers, least, strict=True))
    parameters = {_fresh(f"{name}₀", net.place_numbers, "'"): name for name in names}
    return replace(
        net,
        transitions=(*net.transitions, *added),
        initial=tuple(start.values()),
        initials=InitialMarkings(formula, tuple(add_sets), parameters, asked),
    )


def _name(names: Sequence[str], period: Vector) -> str:
    return "_".join(("init", *(name for name, n in zip(names, period, strict=True) if n)))


def _fresh(name: str, used: Iterable[str], end: str) -> str:
    while name in used:
        name += end
    return name


def initially(net: Net) -> Formula:
    """Return the formula of the initial markings, over all places of a net and its parameters."""
    start, formula = net.values(net.initial), conjunction(())
    if net.initials is not None:
        formula = net.initials.formula
    named = {*variables(formula), *net.parameters}
    fixed = (equal(variable(place), n) for place, n in start.items() if place not in named)
    same = (equal(variable(name) - variable(p), 0) for name, p in net.parameters.items())
    return conjunction((formula, *fixed, *same))


def given(net: Net) -> Net:
    """Return the net of the file, with its initial markings, and a place for each parameter."""
    if net.initials is None:
        return net
    transitions = [n for n, t in enumerate(net.transitions) if t.name not in net.added]
    alone = net.without(frozenset(), transitions)
    return replace(_observed(alone, net.parameters), initials=replace(net.initials, sets=()))


def _observed(net: Net, names: Iterable[str]) -> Net:
    """Return the net with places for these parameters, which the added transitions fill alike."""
    copies = {net.place_numbers[net.parameters[name]]: name for name in names}
    numbers = {place: len(net.places) + n for n, place in enumerate(copies)}

    def filling(transition: Transition) -> Transition:
        if transition.name not in net.added:
            return transition
        more = tuple((numbers[place], n) for place, n in transition.post if place in numbers)
        return replace(transition, post=(*transition.post, *more))

    return replace(
        net,
        places=(*net.places, *copies.values()),
        transitions=tuple(map(filling, net.transitions)),
        initial=(*net.initial, *(net.initial[place] for place in copies)),
        labels=(*net.labels, *("" for _ in copies)) if net.labels else (),
        finals=(),
    )


def with_choice(problem: Problem) -> Problem:
    """Return the problem for engines: a net with one initial marking, and parameters as places.

    Where there are several bases, a token is taken when one is put. Where there are several sets,
    it goes to a place that the periods of this set test. In the target the token is gone.
    """
    net = problem.net
    assert net.initials is not None
    net = _observed(net, [name for name in variables(problem.target) if name in net.parameters])
    if net.initials is None or net.initials.is_linear:
        return Problem(replace(net, initials=None), problem.target)
    controls = _controls(net)
    numbers = {name: len(net.places) + n for n, name in enumerate(controls)}
    token, *chosen = [(number, 1) for number in numbers.values()]
    arcs: dict[str, tuple[Weights, Weights]] = {}
    for number, added in enumerate(net.initials.sets):
        own = tuple(chosen[number : number + 1])
        arcs |= dict.fromkeys(added.bases, ((token,), own))
        arcs |= dict.fromkeys(added.periods, (own, own))
    transitions = []
    for transition in net.transitions:
        pre, post = arcs.get(transition.name, ((), ()))
        changed = replace(transition, pre=(*transition.pre, *pre), post=(*transition.post, *post))
        transitions.append(changed)
    net = replace(
        net,
        places=(*net.places, *controls),
        transitions=tuple(transitions),
        initial=(*net.initial, 1, *(0 for _ in chosen)),
        labels=(*net.labels, *("" for _ in controls)) if net.labels else (),
        initials=None,
    )
    gone = equal(variable(controls[0]), 0)
    return Problem(net, conjunction((problem.target, gone)))


def _controls(net: Net) -> tuple[str, ...]:
    """Return the names of the place of the token, and of one for each of several sets."""
    assert net.initials is not None
    sets = range(1, len(net.initials.sets) + 1) if len(net.initials.sets) > 1 else ()
    names = ("base?", *(f"base of set {number}" for number in sets))
    return tuple(_fresh(name, net.place_numbers, "'") for name in names)


def after_choice(net: Net) -> Sequence[Mapping[str, Term]]:
    """Return the values of the places that `with_choice` adds, once a base of each set is put."""
    assert net.initials is not None
    if net.initials.is_linear:
        return ({},)
    token, *chosen = _controls(net)
    nothing = dict.fromkeys((token, *chosen), constant(0))
    return [nothing | {name: constant(1)} for name in chosen] or (nothing,)

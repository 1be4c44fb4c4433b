"""Sums over all colours of a place, told by the place's name: `p + q = 10` instead of 2,000 terms.

What is told so is read back as the same: a name of the model stands for this sum in questions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from petricheck.presburger.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    at_least,
    equal,
    map_terms,
)
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Net, kept_with_net

Families: TypeAlias = Mapping[str, tuple[str, Sequence[str]]]
"""By name of an unfolded place or transition the name of the model, and all that it stands for."""

SUMMED = 20_000
"""Of a place with more colours no sums over a component are looked for."""


def summed(net: Net, formula: Formula) -> Formula:
    """The formula in the names of the model, where it is shorter in them."""
    if net.origin is None:
        return formula
    match formula:
        case Conjunction(operands) | Disjunction(operands):
            parts = dict.fromkeys(_joined(net, operands, empty=isinstance(formula, Conjunction)))
            told = tuple(summed(net, part) for part in parts)
            return told[0] if len(told) == 1 else type(formula)(told)
        case _:
            return map_terms(formula, lambda term: summed_term(net, term))


def _joined(net: Net, operands: Sequence[Formula], *, empty: bool) -> Iterator[Formula]:
    """The operands; that all colours of a place are empty, or some not, is said of the place."""

    def place(operand: Formula) -> str:
        """The one of which the operand says no more than that; "" where there is none."""
        match operand:
            case Equality(Term(((name, _),), 0)) if empty:
                return name
            case Inequality(Term(((name, factor),), constant)):
                return name if (factor, constant) == ((1, 0) if empty else (-1, 1)) else ""
        return ""

    places = [place(operand) for operand in operands]
    told = _told(net, dict.fromkeys(filter(None, places), 1))
    for name, operand in zip(places, operands, strict=True):
        if told.get(name, name) == name:
            yield operand
        else:
            tokens = variable(told[name])
            yield equal(tokens, 0) if empty else at_least(tokens, 1)


def summed_term(net: Net, term: Term) -> Term:
    """The term in the names of the model, where it is shorter in them."""
    if net.origin is None:
        return term
    values, uniform = dict(term.coefficients), list[tuple[str, int]]()
    for family, members, names in _by_family(net, values):
        if len(members) < 2 * len(names):  # Else most of them have no part in the term.
            (value, times), *_ = Counter(values.get(n, 0) for n in members).most_common(1)
            if value and len(members) > times and 2 * (1 + len(members) - times) <= len(names):
                uniform.append((family, value))
                values |= {name: values.get(name, 0) - value for name in members}
    values = {name: value for name, value in values.items() if value}
    told = {(name, values[part]) for part, name in _told(net, values).items()}
    return linear((*uniform, *told), term.constant)


def summed_names(net: Net, names: Sequence[str]) -> tuple[str, ...]:
    """The places or transitions, where all are there that one of the model stands for as this."""
    if net.origin is None:
        return tuple(names)
    return tuple(dict.fromkeys(_told(net, dict.fromkeys(names, 1)).values()))


def _told(net: Net, values: Mapping[str, int]) -> Mapping[str, str]:
    """By name the sum that it is told in, all of whose parts have the same value."""
    told = {name: name for name in values}

    def tell(name: str, parts: Sequence[str]) -> None:
        known = len(parts) > 1 and all(told.get(part) == part for part in parts)
        if known and len({values[part] for part in parts}) == 1:
            told.update(dict.fromkeys(parts, name))

    for family, members, names in _by_family(net, values):
        tell(family, members)
        if len(names) > 1 and len(members) <= SUMMED:
            for name, parts in _partial_sums(net, family):
                tell(name, parts)
    return told


def _by_family(
    net: Net, names: Iterable[str]
) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """Names of the model with all that they stand for, and those of it that are given."""
    families, given = _families(net), defaultdict[str, list[str]](list)
    for name in names:
        if name in families:
            given[families[name][0]].append(name)
    for family, parts in given.items():
        yield family, families[parts[0]][1], parts


def _partial_sums(net: Net, family: str) -> Sequence[tuple[str, Sequence[str]]]:
    """Further sums of a place, over a component of its colours, the largest first."""
    known = _known_sums(net)
    if family not in known:
        sums = net.origin.sums(family) if net.origin and family in net.origin.places else {}
        named = [(name, [net.places[n] for n in numbers]) for name, numbers in sums.items()]
        known[family] = sorted(named, key=lambda pair: -len(pair[1]))
    return known[family]


@kept_with_net
def _known_sums(net: Net) -> dict[str, Sequence[tuple[str, Sequence[str]]]]:
    return {}


def model_names(net: Net, names: Iterable[str]) -> Iterator[str]:
    """What the places and transitions are called in the model."""
    families = _families(net)
    yield from (families[name][0] if name in families else name for name in names)


@kept_with_net
def _families(net: Net) -> Families:
    """Of places and transitions; of those that are names of the model themselves there is none."""
    if net.origin is None:
        return {}
    kinds = (net.origin.places, net.places), (net.origin.transitions, net.actions)
    families: dict[str, tuple[str, Sequence[str]]] = {}
    for origins, names in kinds:
        known = set(names)
        for family, numbers in origins.items():
            if family not in known:
                members = tuple(names[number] for number in numbers)
                families |= dict.fromkeys(members, (family, members))
    return families

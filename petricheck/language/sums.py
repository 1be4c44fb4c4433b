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
    named = [name for name in places if name]
    whole = set(named).difference(summed_names(net, named))
    for name, operand in zip(places, operands, strict=True):
        if name not in whole:
            yield operand
        else:
            tokens = variable(_families(net)[name][0])
            yield equal(tokens, 0) if empty else at_least(tokens, 1)


def summed_term(net: Net, term: Term) -> Term:
    """The term in the names of the model, where it is shorter in them."""
    if net.origin is None:
        return term
    families, coefficients = _families(net), dict(term.coefficients)
    parts: defaultdict[str, list[str]] = defaultdict(list)
    for name in coefficients:
        parts[families[name][0] if name in families else name].append(name)
    told: list[tuple[str, int]] = []
    for family, names in parts.items():
        _, members = families.get(names[0], (family, names))
        value = 0
        if 1 < len(members) < 2 * len(names):  # Else most of them have no part in the term.
            (value, times), *_ = Counter(coefficients.get(n, 0) for n in members).most_common(1)
            value *= 2 * (1 + len(members) - times) <= len(names)
        told.append((family, value))
        told += [(n, coefficients.get(n, 0) - value) for n in (members if value else names)]
    return linear(told, term.constant)


def summed_names(net: Net, names: Sequence[str]) -> tuple[str, ...]:
    """The places or transitions, where all are there that one of the model stands for as this."""
    if net.origin is None:
        return tuple(names)
    given, told = set(names), dict[str, None]()
    families = _families(net)
    whole = dict[str, bool]()
    for name in names:
        family, members = families.get(name, (name, ()))
        if family not in whole:
            whole[family] = len(members) > 1 and given.issuperset(members)
        told[family if whole[family] else name] = None
    return tuple(told)


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

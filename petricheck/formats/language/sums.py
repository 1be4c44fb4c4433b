"""Sums over all colours of a place, printed as the place's name: `p + q = 10`, not 2,000 terms.

Questions read such a name as the same sum.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    at_least,
    equal,
    map_terms,
    substitute,
    tighten,
)
from petricheck.arithmetic.formulas.terms import Term, linear, variable
from petricheck.arithmetic.formulas.text import node_text
from petricheck.model.net import Net, cached_by_net

Families: TypeAlias = Mapping[str, tuple[str, Sequence[str]]]
"""By name of an unfolded place or transition the id in the model, and all that it stands for."""

SUMMED = 20_000
"""The most colours of a place for which sums over a component are tried."""


def summed(net: Net, formula: Formula) -> Formula:
    """Return the formula in the names of the model, where it is shorter in them."""
    if net.origin is None:
        return formula
    if net.origin.hidden:
        return tighten(substitute(formula, net.origin.hidden))
    match formula:
        case Conjunction(operands) | Disjunction(operands):
            parts = dict.fromkeys(_joined(net, operands, empty=isinstance(formula, Conjunction)))
            shown = tuple(summed(net, part) for part in parts)
            return shown[0] if len(shown) == 1 else type(formula)(shown)
        case _:
            return map_terms(formula, lambda term: summed_term(net, term))


def _joined(net: Net, operands: Sequence[Formula], *, empty: bool) -> Iterator[Formula]:
    """Yield the operands; those that empty or mark all colours of a place become one."""

    def place(operand: Formula) -> str:
        """Return the one of which the operand says no more than that; "" where there is none."""
        match operand:
            case Equality(Term(((name, _),), 0)) if empty:
                return name
            case Inequality(Term(((name, factor),), constant)):
                return name if (factor, constant) == ((1, 0) if empty else (-1, 1)) else ""
        return ""

    places = [place(operand) for operand in operands]
    texts = _sum_names(net, filter(None, places))
    for name, operand in zip(places, operands, strict=True):
        if texts.get(name, name) == name:
            yield operand
        else:
            tokens = variable(texts[name])
            yield equal(tokens, 0) if empty else at_least(tokens, 1)


def summed_term(net: Net, term: Term) -> Term:
    """Return the term in the names of the model, where it is shorter in them."""
    if net.origin is None:
        return term
    if net.origin.hidden:
        return term.substitute(net.origin.hidden)
    values, summands = dict(term.coefficients), list[tuple[str, int]]()
    for name, parts in _sums(net, tuple(values)):
        (value, times), *_ = Counter(values.get(part, 0) for part in parts).most_common(1)
        count = sum(1 for part in parts if values.get(part))
        if value and (times == len(parts) or 2 * (1 + len(parts) - times) <= count):
            summands.append((name, value))
            values |= {part: values.get(part, 0) - value for part in parts}
    return linear((*summands, *values.items()), term.constant)


def summed_names(net: Net, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names in the model, where all members of a place or transition are given."""
    if net.origin is None:
        return tuple(names)
    if hidden := net.origin.hidden:
        names = [own for n in names for own in (hidden[n].variables if n in hidden else (n,))]
    return tuple(dict.fromkeys(_sum_names(net, names).values()))


def _sum_names(net: Net, names: Iterable[str]) -> Mapping[str, str]:
    """Return by name the sum that it is printed in, all of whose parts are given."""
    texts = {name: name for name in names}
    for name, parts in _sums(net, tuple(texts)):
        if all(texts.get(part) == part for part in parts):
            texts |= dict.fromkeys(parts, name)
    return texts


def _sums(net: Net, names: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield sums with their parts, more than half of them given; by place, the largest first."""
    families, groups = _families(net), defaultdict[str, list[str]](list)
    for name in names:
        if name in families:
            groups[families[name][0]].append(name)
    for family, own in groups.items():
        members, whole = families[own[0]][1], node_text(family)
        sums = {whole: members}
        counts = Counter({whole: len(own)})
        if len(own) > 1 and len(members) <= SUMMED:
            partial = _partial_sums(net, family)
            sums |= partial.parts
            counts.update(name for part in own for name in partial.names.get(part, ()))
        for name in sorted(counts, key=lambda name: -len(sums[name])):
            if 1 < len(sums[name]) < 2 * counts[name]:
                yield name, sums[name]


@dataclass(frozen=True)
class _Partial:
    """Sums over components of a place's colours: their parts, and by part their names."""

    parts: Mapping[str, Sequence[str]]
    names: Mapping[str, Sequence[str]]


def _partial_sums(net: Net, family: str) -> _Partial:
    by_family = _partial_sums_by_family(net)
    if family not in by_family:
        sums = net.origin.sums(family) if net.origin and family in net.origin.places else {}
        parts = {name: [net.places[n] for n in numbers] for name, numbers in sums.items()}
        names = defaultdict[str, list[str]](list)
        for name, own in parts.items():
            for part in own:
                names[part].append(name)
        by_family[family] = _Partial(parts, names)
    return by_family[family]


@cached_by_net
def _partial_sums_by_family(net: Net) -> dict[str, _Partial]:
    return {}


def model_names(net: Net, names: Iterable[str]) -> Iterator[str]:
    """Yield the names of the places and transitions in the model."""
    families = _families(net)
    yield from (families[name][0] if name in families else name for name in names)


@cached_by_net
def _families(net: Net) -> Families:
    """Return the families of places and transitions; what is called as in the model has none."""
    if net.origin is None:
        return {}
    kinds = (net.origin.places, net.places), (net.origin.transitions, net.actions)
    families: dict[str, tuple[str, Sequence[str]]] = {}
    for origins, names in kinds:
        own_names = set(names)
        for family, numbers in origins.items():
            if node_text(family) not in own_names:
                members = tuple(names[number] for number in numbers)
                families |= dict.fromkeys(members, (family, members))
    return families

"""Checks of a coloured net that was built in Python; those read from files are checked there."""

from __future__ import annotations

from petricheck.model.coloured import sorts, terms
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.sorts import (
    MOST_COMPONENTS,
    Sort,
    has_successor,
    is_ordered,
    width,
)
from petricheck.model.coloured.terms import (
    COMPARED,
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Shifted,
    Some,
    Term,
    Tuple,
    Variable,
)
from petricheck.model.coloured.text import guard_text, multiset_text, sort_text
from petricheck.support.arguments import check_fields
from petricheck.support.errors import InputError

_Known = dict[str, Sort]
"""By name of a variable its sort."""

_WRONG = {
    Variable: "the variable {0.name} is of two sorts",
    Constant: "number {0.colour} is no colour of {0.sort.name}",
    Shifted: "a colour of {0.sort.name}, which is no cyclic enumeration, has none after it",
    ElementOf: "{0.sort.name} takes another sort apart",
}


def check_sorts(net: ColouredNet) -> None:
    """Refuse what is of a wrong type or sort, by an InputError that says what, and where."""
    check_fields(net, {**vars(sorts), **vars(terms)})
    for place in net.places:
        try:
            scope: _Known = {}
            _check_width(place.sort)
            _check_multiset(place.initial, place.sort, scope)
            if scope:
                raise InputError(f"initially there is no variable {min(scope)}")
        except InputError as error:
            raise InputError(f"place {place.name!r}: {error}") from None
    for transition in net.transitions:
        try:
            scope = {}
            for arcs in (transition.pre, transition.post):
                numbers = [number for number, _ in arcs]
                if numbers != sorted({*numbers} & {*range(len(net.places))}):
                    raise InputError("arcs name each place once, by its number, in their order")
                for number, multiset in arcs:
                    _check_multiset(multiset, net.places[number].sort, scope)
            _check_guard(transition.guard, scope)
        except InputError as error:
            raise InputError(f"transition {transition.name!r}: {error}") from None


def _check_width(sort: Sort) -> None:
    if width(sort) > MOST_COMPONENTS:
        raise InputError(f"a sort has more than {MOST_COMPONENTS} components")


def _check_multiset(multiset: Multiset, sort: Sort, scope: _Known) -> None:
    for summand in multiset:
        if summand.term.sort != sort:
            sorts = f"{sort_text(summand.term.sort)}, but its place of {sort_text(sort)}"
            raise InputError(f"{multiset_text(multiset)} is of {sorts}")
        ranging = {variable.name: variable.sort for variable in summand.ranging}
        inner = scope | ranging
        _check_term(summand.term, inner)
        scope |= {name: inner[name] for name in inner if name not in ranging}


def _check_term(term: Term, scope: _Known) -> None:
    parts: tuple[Term, ...] = ()
    match term:
        case Variable(name=name, sort=sort):
            _check_width(sort)
            right = scope.setdefault(name, sort) == sort
        case Constant(sort=sort, colour=colour):
            right = 0 <= colour < sort.size
        case Tuple(parts=parts):
            right = True
        case Shifted(term=inner):
            right, parts = has_successor(inner.sort), (inner,)
        case ElementOf(sort=partition, term=inner):
            right, parts = inner.sort == partition.whole, (inner,)
    if not right:
        raise InputError(_WRONG[type(term)].format(term))
    for part in parts:
        _check_term(part, scope)


def _check_guard(guard: Guard, scope: _Known) -> None:
    match guard:
        case Comparison(relation=relation, left=left, right=right):
            _check_term(left, scope)
            _check_term(right, scope)
            if left.sort != right.sort:
                raise InputError(f"{guard_text(guard)} compares colours of two sorts")
            if relation not in COMPARED:
                relations = ", ".join(COMPARED)
                raise InputError(f"{relation!r} compares nothing; relations are {relations}")
            if relation not in ("=", "!=") and not is_ordered(left.sort):
                raise InputError(f"{guard_text(guard)} compares colours that have no order")
        case Not(part=part):
            _check_guard(part, scope)
        case All(parts=parts) | Some(parts=parts):
            for part in parts:
                _check_guard(part, scope)

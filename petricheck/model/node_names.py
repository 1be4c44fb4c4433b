"""The names by which people see places and transitions, and by which they may ask for them.

A node is shown by its human name where it has one, and by its id otherwise. Where that may mean
another node as well, since several nodes have the name or it is another one's id, and where the
name is shortened, the id stands behind it: `waiting (n2)`. So no two nodes are shown alike, and a
question may use every name that is shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, map_terms
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.arithmetic.formulas.text import BARE_NODE, QUOTED, name_of, node_text
from petricheck.support.words import printable

_LONGEST_ID = 10_000
"""Longer texts in JSON are tables of markings."""

LETTERS = 60
"""Letters of a human name that are shown; a longer one is shortened."""

Labelled: TypeAlias = Iterable[tuple[str, str]]
"""Pairs (id, human name), which is empty where there is none."""

_COLOURED = re.compile(rf"({BARE_NODE}|{QUOTED})(?:\((.*)\))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NodeNames:
    """The shown names of a net.

    The methods take ids; of an unfolded net also its own, such as `p(a)` and `t(x=a)`.

    Attributes:
        places: by id the shown names of places, where these are not their ids.
        transitions: the same of transitions.
        both: ids that are both a place's and a transition's.
        unfolded: whether the ids are those of a coloured net.
    """

    places: Mapping[str, str] = field(default_factory=dict)
    transitions: Mapping[str, str] = field(default_factory=dict)
    both: Set[str] = frozenset()
    unfolded: bool = False

    def __bool__(self) -> bool:
        return bool(self.places or self.transitions)

    def place(self, name: str) -> str:
        """Return the shown name of a place."""
        return self._shown(name, self.places)

    def transition(self, name: str) -> str:
        """Return the shown name of a transition."""
        return self._shown(name, self.transitions)

    def node(self, name: str) -> str:
        """Return the shown name of a place or transition; the id where it may be either."""
        if name in self.both:
            return name
        place = self.place(name)
        return self.transition(name) if place == name else place

    def steps(self, steps: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
        """Return the steps of a trace with the shown names of its transitions."""
        return tuple((self.transition(name), times) for name, times in steps)

    def term(self, term: Term) -> Term:
        """Return the term over the shown names of its places."""
        if not self.places:
            return term
        return linear(((self.place(name), n) for name, n in term.coefficients), term.constant)

    def formula(self, formula: Formula) -> Formula:
        """Return the formula over the shown names of its places."""
        return map_terms(formula, self.term) if self.places else formula

    def _shown(self, name: str, names: Mapping[str, str]) -> str:
        if not names or name in names or not self.unfolded:
            return names.get(name, name)
        match = _COLOURED.fullmatch(name)
        if match is None or (shown := names.get(name_of(match[1]))) is None:
            return name
        return shown if match[2] is None else node_text(shown, match[2])


def node_names(places: Labelled, transitions: Labelled, *, unfolded: bool = False) -> NodeNames:
    """Return the shown names of a net with these places and transitions."""
    kinds = dict(places), dict(transitions)
    named = [
        {
            id_: name
            for id_, label in kind.items()
            if label and label != id_ and (name := _one_line(label)) not in ("", id_)
        }
        for kind in kinds
    ]
    if not any(named):
        return NodeNames()
    uses = Counter(name for names in named for name in names.values())
    ids = kinds[0].keys() | kinds[1].keys()
    taken = ids | uses.keys()
    places_shown, transitions_shown = (
        dict(_shown(kind, names, uses, ids, taken, unfolded=unfolded))
        for kind, names in zip(kinds, named, strict=True)
    )
    both = kinds[0].keys() & kinds[1].keys()
    return NodeNames(places_shown, transitions_shown, both, unfolded)


def _shown(
    kind: Iterable[str],
    named: Mapping[str, str],
    uses: Mapping[str, int],
    ids: Set[str],
    taken: set[str],
    *,
    unfolded: bool,
) -> Iterator[tuple[str, str]]:
    """Yield ids with the names that are shown in place of them; these become taken."""
    for id_ in kind:
        name = named.get(id_, "")
        clear = uses[name] == 1 and name not in ids if name else id_ not in uses
        like_colours = unfolded and "(" in name  # It would be read as the place before them.
        if clear and len(name) <= LETTERS and not like_colours:
            if name:
                yield id_, name
            continue
        short = name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"
        text = f"{short or id_} ({id_})"
        while text in taken:
            text += f" ({id_})"
        taken.add(text)
        yield id_, text


def _one_line(label: str) -> str:
    """Return the name without breaks of lines, and with what cannot be seen as escapes."""
    line = " ".join(label.split())
    return line if line.isascii() and line.isprintable() else printable(line)


def with_names(
    names: NodeNames, fields: Mapping[str, Any], more: Iterable[str] = ()
) -> dict[str, Any]:
    """Return an object of JSON with the key `names`, also for more ids than occur in the fields.

    It has no such key where all nodes are shown by their ids.
    """
    return {**fields, **({"names": names_in(names, fields, more)} if names else {})}


def names_in(names: NodeNames, value: Any, more: Iterable[str] = ()) -> dict[str, dict[str, str]]:
    """Return, by id, the shown names of the nodes that occur in a value of JSON by their ids.

    It is empty where all nodes of the net are shown by their ids.
    """
    if not names:
        return {}
    ids = sorted({*_texts(value), *more})
    places = {id_: name for id_ in ids if (name := names.place(id_)) != id_}
    transitions = {id_: name for id_ in ids if (name := names.transition(id_)) != id_}
    return {"places": places, "transitions": transitions}


def _texts(value: Any) -> Iterator[str]:
    """Yield all short texts in a value of JSON, keys included."""
    match value:
        case str():
            if len(value) <= _LONGEST_ID:
                yield value
        case Mapping():
            for key, part in value.items():
                yield from _texts(key)
                yield from _texts(part)
        case list() | tuple():
            for part in value:
                yield from _texts(part)

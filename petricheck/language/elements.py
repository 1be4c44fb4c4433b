"""Parts of questions: names of places and transitions, quoted names, numbers."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest

from petricheck.errors import QueryError
from petricheck.language import model
from petricheck.language.enabling import Needs
from petricheck.origin import Origin
from petricheck.presburger.terms import Term
from petricheck.presburger.text import name_to_text
from petricheck.problem import Net
from petricheck.words import MAX_DIGITS, printable, quoted

QUOTED = r'"(?:[^"\\]|\\.)*"'
"""Regular expression of a quoted name; a dot must match newlines too."""

_COMPARED = 20_000  # names compared with an unknown one; more would take seconds


@dataclass(frozen=True)
class Names:
    """The names that questions may use for places and transitions: ids, unique human names.

    For an unfolded net these are the ids and names of the coloured net, also with a colour or
    a binding behind them: `p`, `p(a, 3)`, `t`, `t(x=a)`.

    Attributes:
        net: the net; an id takes precedence over a human name.
    """

    net: Net

    @cached_property
    def _places(self) -> Mapping[str, tuple[str, ...]]:
        """The places that each name may mean."""
        own = zip_longest(self.net.places, self.net.labels, fillvalue="")
        origin = self.net.origin
        return _by_name(own if origin is None else chain(_labelled(origin, origin.places), own))

    @cached_property
    def _transitions(self) -> Mapping[str, tuple[str, ...]]:
        """The transitions of the file that each name may mean."""
        transitions = (t for t in self.net.transitions if t.name not in self.net.added)
        origin = self.net.origin
        if origin is None:
            return _by_name((t.name, t.label) for t in transitions)
        own = ((t.name, "") for t in transitions)
        return _by_name(chain(_labelled(origin, origin.transitions), own))

    @property
    def place_names(self) -> frozenset[str]:
        """All names that places have, also those that several share."""
        return frozenset(self._places)

    def place(self, name: str, text: str = "", position: int | None = None) -> str:
        """Return the id of the place with this name, maybe of a colour without a place.

        Raises:
            QueryError: no place, or several, have this name, or it has no such colour; it points at
                `position` in `text`.
        """
        origin = self.net.origin
        match self._places.get(name, ()):
            case (owner,):
                return owner
            case () if origin and (parts := _split(name, self._places, origin.places)):
                with pointing(text, position):
                    return origin.place_of(*parts)
            case ():
                hint = _alternatives(name, self._places) + _quotes(name, text, position)
                message = f"there is no place {quoted(name)}{hint}"
            case owners:
                message = _shared("places", name, owners)
        raise QueryError(message, text=text, position=position)

    def tokens(self, name: str, text: str = "", position: int | None = None) -> Term:
        """Return the tokens of the place called `name`, of all colours where it is a coloured one.

        Raises:
            QueryError: as `place` does.
        """
        return model.tokens(self.net, self.place(name, text, position))

    def needs(self, name: str, text: str = "", position: int | None = None) -> Needs:
        """Return the needs of the transition with this name, under any or some of its bindings.

        Raises:
            QueryError: no transition, or several, have this name, or it has no such variable or
                colour; it points at `position` in `text`.
        """
        origin = self.net.origin
        match self._transitions.get(name, ()):
            case (owner,):
                return model.needs(self.net, owner)
            case () if origin and (parts := _split(name, self._transitions, origin.transitions)):
                with pointing(text, position):
                    return model.needs(self.net, *parts)
            case () if name in self._places:
                message = f"there is no transition {quoted(name)}; it is a place"
            case ():
                message = f"there is no transition {quoted(name)}"
                message += _alternatives(name, self._transitions)
            case owners:
                message = _shared("transitions", name, owners)
        raise QueryError(message, text=text, position=position)


def _labelled(origin: Origin, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    labels = origin.labels
    return ((name, labels[name]) for name in names)


def _split(
    name: str, names: Mapping[str, tuple[str, ...]], coloured: Container[str]
) -> tuple[str, str] | None:
    """Return the id and the parentheses of a coloured name such as `p(a, 3)`, or None."""
    for opening in re.finditer(r"\(", name if name.endswith(")") else ""):
        match names.get(name[: opening.start()].rstrip()):
            case (owner,) if owner in coloured:
                return owner, name[opening.start() :]
    return None


@contextmanager
def pointing(text: str, position: int | None) -> Iterator[None]:
    """Set the position of errors in the block to this character."""
    try:
        yield
    except QueryError as error:
        raise QueryError(error.message, text=text, position=position) from None


def _by_name(labelled: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Return at most four ids for each name, from (id, human name); an id means itself alone."""
    ids, owners = dict[str, tuple[str, ...]](), dict[str, tuple[str, ...]]()
    for owner, label in labelled:
        ids[owner] = (owner,)
        if label:
            owners[label] = (*owners.get(label, ())[:3], owner)
    return ids | {label: owner for label, owner in owners.items() if label not in ids}


def _shared(what: str, name: str, owners: Iterable[str]) -> str:
    """Return the message about a name that several have."""
    listed = ", ".join(printable(name_to_text(owner)) for owner in owners)
    return f"several {what} are called {quoted(name)}; use an id: {listed}"


def _alternatives(name: str, names: Iterable[str]) -> str:
    """Return the names that resemble an unknown one, as the end of a message."""
    # Lengths more than threefold apart cannot reach a similarity of one half.
    similar = (other for other in names if len(other) <= 3 * len(name) <= 9 * len(other))
    close = difflib.get_close_matches(name, islice(similar, _COMPARED), n=3, cutoff=0.5)
    listed = (printable(name_to_text(other)) for other in close)
    return f"; did you mean {' or '.join(listed)}?" if close else ""


def _quotes(name: str, text: str, position: int | None) -> str:
    """Return advice where the name is a part of a word such as `busy-1`."""
    if position is None or not text.startswith(name, position):  # it is in quotes
        return ""
    word = re.compile(r"[^\s()<>=!,\"]*")
    before = word.match(text[:position][::-1])
    after = word.match(text, position + len(name))
    assert before and after
    complete_word = f"{before[0][::-1]}{name}{after[0]}"
    if complete_word == name:
        return ""
    return f"; a name with odd characters is quoted: {printable(name_to_text(complete_word))}"


def example(net: Net) -> str:
    """Return the spelling of some place of the net in a question; any name where it has none."""
    names = net.places if net.origin is None else [*net.origin.places]
    return printable(name_to_text(names[0])) if names else "p"


def unquoted(word: str, text: str, position: int) -> str:
    r"""Return the name inside quotes, where `\"` is a quote and `\\` a backslash.

    Raises:
        QueryError: a backslash before anything else; it points there.
    """
    for escape in re.finditer(r"\\(.)", word, re.DOTALL):
        if escape[1] not in '"\\':
            raise QueryError(
                r"inside quotes a backslash is written \\ and a quote \"; nothing else is escaped",
                text=text,
                position=position + escape.start(),
            )
    return re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)


def number(digits: str, text: str = "", position: int | None = None) -> int:
    """Return the number that these digits spell.

    Raises:
        QueryError: there are more than `MAX_DIGITS`.
    """
    if len(digits) > MAX_DIGITS:
        raise QueryError(
            f"a number of {len(digits)} digits is refused; {MAX_DIGITS} are the limit",
            text=text,
            position=position,
        )
    return int(digits)

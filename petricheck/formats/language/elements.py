"""Parts of questions: names of places and transitions, quoted names, numbers.

Lists of entries that begin with a name: between commas or newlines, with `# comments`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from typing import TypeVar

from petricheck.arithmetic.formulas.text import name_of, name_to_text, quoted_name
from petricheck.formats.language import model
from petricheck.formats.language.enabling import Needs
from petricheck.formats.language.model import NamedPlace
from petricheck.model.net import Net
from petricheck.model.origin import Origin
from petricheck.support.errors import QueryError
from petricheck.support.words import MAX_DIGITS, printable, quoted

GAP = r"(?P<gap>(?:[\s,]|#[^\n]*)*)"
"""Regular expression of the gap between two entries, and before the first."""


def entries(pattern: re.Pattern[str], text: str, noun: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the name that each entry of a list begins with, and the match of the entry.

    The pattern ends with a `GAP`, and its group `name` may be missing. QueryError points at the
    character that does not fit.
    """
    entry, separated = re.match(GAP, text), True
    while entry is not None and (position := entry.end()) < len(text):
        if not separated:
            message = f"expected a comma or a new line between two {noun}s"
            raise QueryError(message, text=text, position=position)
        entry = pattern.match(text, position)
        if entry is None or entry["name"] is None:
            unclosed = text[position] == '"'
            message = "this quote is never closed" if unclosed else f"expected the name of a {noun}"
            raise QueryError(message, text=text, position=position)
        name = entry["name"]
        yield name_of(name, text, position), entry
        separated = not {",", "\n"}.isdisjoint(entry["gap"])


_Meaning = TypeVar("_Meaning")

_COMPARED = 20_000  # names compared with an unknown one; more would take seconds


@dataclass(frozen=True)
class Names:
    """The names that questions may use for places and transitions: ids, unique human names.

    An id takes precedence over a human name. For a net that was made from a coloured one these are
    the ids and names of the coloured net, also with colours or a binding behind them: `p`, `p(a,
    3)`, `t`, `t(x=a)`. What the places of the made net are called does not matter.
    """

    net: Net

    @cached_property
    def _places(self) -> Mapping[str, tuple[str, ...]]:
        if (origin := self.net.origin) is not None:
            return _by_name(_labelled(origin, origin.places))
        return _by_name(zip_longest(self.net.places, self.net.labels, fillvalue=""))

    @cached_property
    def _transitions(self) -> Mapping[str, tuple[str, ...]]:
        if (origin := self.net.origin) is not None:
            return _by_name(_labelled(origin, origin.transitions))
        added = self.net.added
        return _by_name((t.name, t.label) for t in self.net.transitions if t.name not in added)

    @property
    def place_names(self) -> frozenset[str]:
        """All names that places have, also those that several share."""
        return frozenset(self._places)

    def place(self, name: str, text: str = "", position: int | None = None) -> NamedPlace:
        """Return the place with this name, maybe with colours behind it.

        QueryError, at `position` in `text`, where no place, or several, have this name, or it has
        no such colour.
        """
        with pointing(text, position):
            return self._meaning(
                "place",
                name,
                self._places,
                lambda *parts: model.place(self.net, *parts),
                in_quotes=text.startswith('"', position),
                hint=_quotes(name, text, position),
            )

    def needs(self, name: str, text: str = "", position: int | None = None) -> Needs:
        """Return the needs of the transition with this name, under any or some of its bindings.

        QueryError, at `position` in `text`, where no transition, or several, have this name, or
        it has no such variable or colour.
        """
        with pointing(text, position):
            return self._meaning(
                "transition",
                name,
                self._transitions,
                lambda *parts: model.needs(self.net, *parts),
                in_quotes=text.startswith('"', position),
                hint="; it is a place" if name in self._places else "",
            )

    def _meaning(
        self,
        noun: str,
        name: str,
        names: Mapping[str, tuple[str, ...]],
        read: Callable[[str, str], _Meaning],
        *,
        in_quotes: bool,
        hint: str,
    ) -> _Meaning:
        """Return the meaning of a name: an id or human name, or one with colours or a binding.

        `names` are the ids that each name may mean; `read` returns the meaning of an id with what
        stands in parentheses behind it. What is all in quotes is an id or human name if it can be.
        The hint ends the message that there is none.
        """
        owners = names.get(name, ())
        if not owners and self.net.origin:  # Only its nodes are printed as `node_text` does.
            owners = names.get(_id_of(name), ())
        meanings, errors = dict[tuple[str, str], _Meaning](), list[QueryError]()
        for parts in _splits(name, names) if self.net.origin else ():
            try:
                meanings[parts] = read(*parts)
            except QueryError as error:
                errors.append(error)
        if len(owners) > 1:
            raise QueryError(_shared(f"{noun}s", name, owners))
        if owners and (in_quotes or not meanings):
            return read(owners[0], "")
        if len(owners) + len(meanings) > 1:
            raise QueryError(
                f"{quoted(name)} is the name of a {noun}, and of another one with something behind "
                f"it; put quotes around all of it, {printable(quoted_name(name))}, or around its "
                "first part alone"
            )
        for meaning in meanings.values():
            return meaning
        if errors:
            raise errors[0]
        close = "" if hint.startswith("; it") else _alternatives(name, names)
        raise QueryError(f"there is no {noun} {quoted(name)}{close}{hint}")


def _labelled(origin: Origin, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    labels = origin.labels
    return ((name, labels[name]) for name in names)


def _id_of(text: str) -> str:
    """Return the id that `node_text` writes so."""
    with suppress(QueryError):
        return name_of(text)
    return text


def _splits(name: str, names: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Yield the ids and parentheses that a name such as `p(a, 3)` may consist of."""
    for opening in re.finditer(r"\(", name if name.endswith(")") else ""):
        start = opening.start()
        with suppress(QueryError):
            match names.get(name_of(name[:start].rstrip())):
                case (owner,):
                    yield owner, name[start:]


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


def number(digits: str, text: str = "", position: int | None = None) -> int:
    """Return the number that these digits spell; QueryError above `MAX_DIGITS`."""
    if len(digits) > MAX_DIGITS:
        raise QueryError(
            f"a number of {len(digits)} digits is refused; {MAX_DIGITS} are the limit",
            text=text,
            position=position,
        )
    return int(digits)

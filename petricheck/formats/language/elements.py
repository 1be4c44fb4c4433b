"""Parts of questions: names of places and transitions, quoted names, numbers.

Lists of entries that begin with a name: between commas or newlines, with `# comments`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice, zip_longest
from typing import TypeVar

from petricheck.arithmetic.formulas.text import name_of, name_to_text, quoted_name
from petricheck.formats.language import model
from petricheck.formats.language.enabling import Needs
from petricheck.formats.language.model import NamedPlace
from petricheck.model.net import Net, cached_by_net
from petricheck.model.origin import Origin
from petricheck.support.errors import QueryError
from petricheck.support.words import MAX_DIGITS, printable, quoted

GAP = r"(?P<gap>(?:[\s,]|#[^\n]*)*)"
"""Regular expression of the gap between two entries, and before the first."""


def entries(pattern: str, text: str, noun: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the name that each entry of a list begins with, and the match of the entry.

    The pattern ends with a `GAP`, and its group `name` may be missing. QueryError points at the
    character that does not fit.
    """
    entry, separated = re.match(GAP, text), True
    compiled = re.compile(pattern, re.DOTALL)  # Not when its module is loaded: it takes its time.
    while entry is not None and (position := entry.end()) < len(text):
        if not separated:
            message = f"expected a comma or a new line between two {noun}s"
            raise QueryError(message, text=text, position=position)
        entry = compiled.match(text, position)
        if entry is None or entry["name"] is None:
            unclosed = text[position] == '"'
            message = "this quote is never closed" if unclosed else f"expected the name of a {noun}"
            raise QueryError(message, text=text, position=position)
        name = entry["name"]
        yield name_of(name, text, position), entry
        separated = not {",", "\n"}.isdisjoint(entry["gap"])


_Meaning = TypeVar("_Meaning")

_LISTED = 4
"""So many nodes of one name are listed."""

_COMPARED = 20_000  # names compared with an unknown one; more would take seconds


@dataclass(frozen=True)
class Names:
    """The names that questions may use for places and transitions: ids, human and shown names.

    A name that may mean several places is refused, and the shown ones are given instead; in files
    of properties an id takes precedence. For a net that was made from a coloured one these are
    the ids and names of the coloured net, also with colours or a binding behind them: `p`, `p(a,
    3)`, `t`, `t(x=a)`. What the places of the made net are called does not matter.
    """

    net: Net
    ids_first: bool = False

    @cached_property
    def _places(self) -> Mapping[str, tuple[str, ...]]:
        if (origin := self.net.origin) is not None:
            labelled = _labelled(origin, origin.places)
        else:
            parameters = self.net.parameters.items()
            spelled = (
                (name, f"initial({name_to_text(self.net.shown.place(place))})")
                for name, place in parameters
            )
            places = zip_longest(self.net.places, self.net.labels, fillvalue="")
            labelled = chain(places, spelled)
        return self._by_name(labelled, self.net.shown.places)

    @cached_property
    def _transitions(self) -> Mapping[str, tuple[str, ...]]:
        if (origin := self.net.origin) is not None:
            labelled = _labelled(origin, origin.transitions)
        else:
            added = self.net.added
            labelled = ((t.name, t.label) for t in self.net.transitions if t.name not in added)
        return self._by_name(labelled, self.net.shown.transitions)

    def _by_name(
        self, labelled: Iterable[tuple[str, str]], shown: Mapping[str, str]
    ) -> Mapping[str, tuple[str, ...]]:
        """Return at most four ids for each name, from (id, human name) and the shown names."""
        pairs = tuple(labelled)
        ids, owners = {id_: (id_,) for id_, _ in pairs}, dict[str, tuple[str, ...]]()
        for id_, name in (*((id_, label) for id_, label in pairs if label), *shown.items()):
            others = owners.get(name, () if self.ids_first else ids.get(name, ()))
            if id_ not in others and len(others) < _LISTED:
                owners[name] = (*others, id_)
        return owners | ids if self.ids_first else ids | owners

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
                hint=self._word_hint(name) or _quotes(name, text, position),
            )

    def _word_hint(self, name: str) -> str:
        if name in self._transitions:
            transition = printable(name_to_text(name))
            return f"; it is a transition: enabled({transition}) says it is enabled"
        if name.lower() == "deadlock":
            return "; 'deadlock', without a comparison, says that no transition is enabled"
        return ""

    def needs(self, name: str, text: str = "", position: int | None = None) -> Needs:
        """Return the needs of the transition with this name, under any or some of its bindings.

        QueryError, at `position` in `text`, where no transition, or several, have this name, or
        it has no such variable or colour.
        """
        return self._transition(name, text, position, partial(model.needs, self.net))

    def bindings(self, name: str, text: str = "", position: int | None = None) -> Sequence[int]:
        """Return the numbers of the transitions that this name stands for; errors as of `needs`."""
        return self._transition(name, text, position, partial(model.bindings, self.net))

    def _transition(
        self, name: str, text: str, position: int | None, read: Callable[[str, str], _Meaning]
    ) -> _Meaning:
        with pointing(text, position):
            return self._meaning(
                "transition",
                name,
                self._transitions,
                read,
                in_quotes=text.startswith('"', position),
                hint=self._place_hint(name, text[:position]),
            )

    def firing(self, name: str, text: str = "", position: int | None = None) -> str:
        """Return the id of the transition with this name; of a coloured one, of its binding.

        QueryError, at `position` in `text`, where no transition, or several, have this name, or
        not every variable has a colour.
        """
        with pointing(text, position):
            return self._meaning(
                "transition",
                name,
                self._transitions,
                lambda *parts: model.firing(self.net, *parts),
                in_quotes=text.startswith('"', position),
                hint=self._place_hint(name, ""),
            )

    def _place_hint(self, name: str, before: str) -> str:
        """Return the hint at a place that is named instead of a transition, or called `enabled`."""
        word = re.search(r"(\w+)\s*\(\s*\Z", before)
        if name not in self._places and word and word[1] in self._places:
            return f'; the tokens of the place called {word[1]} are written "{word[1]}"(…)'
        return "; it is a place" if name in self._places else ""

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
        for first, inside in _splits(name) if self.net.origin else ():
            try:
                for owner in self._only(noun, first, names.get(first, ())):
                    meanings[owner, inside] = read(owner, inside)
            except QueryError as error:
                errors.append(error)
        self._only(noun, name, owners)
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

    def _only(self, noun: str, name: str, owners: tuple[str, ...]) -> tuple[str, ...]:
        """Return the owners of a name, one at most; QueryError where there are several."""
        if len(owners) < 2:
            return owners
        shown = self.net.shown.place if noun == "place" else self.net.shown.transition
        if name in owners:
            what = f"the id of a {noun} and the name of another"
            owners = (name, *(owner for owner in owners if owner != name))
        else:
            what = f"the name of several {noun}s"
        listed = " or ".join(printable(name_to_text(shown(owner))) for owner in owners)
        raise QueryError(f"{quoted(name)} is {what}; write {listed}")


@cached_by_net
def names_of(net: Net) -> Names:
    """Return the names that questions about the net may use."""
    return Names(net)


def _labelled(origin: Origin, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    labels = origin.labels
    return ((name, labels[name]) for name in names)


def _id_of(text: str) -> str:
    """Return the id that `node_text` writes so."""
    with suppress(QueryError):
        return name_of(text)
    return text


def _splits(name: str) -> Iterator[tuple[str, str]]:
    """Yield the names and parentheses that a name such as `p(a, 3)` may consist of."""
    for opening in re.finditer(r"\(", name if name.endswith(")") else ""):
        start = opening.start()
        with suppress(QueryError):
            yield name_of(name[:start].rstrip()), name[start:]


@contextmanager
def pointing(text: str, position: int | None) -> Iterator[None]:
    """Set the position of errors in the block to this character."""
    try:
        yield
    except QueryError as error:
        raise QueryError(error.message, text=text, position=position) from None


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
    return printable(name_to_text(net.shown.place(names[0]))) if names else "p"


def number(digits: str, text: str = "", position: int | None = None) -> int:
    """Return the number that these digits spell; QueryError above `MAX_DIGITS`."""
    if len(digits) > MAX_DIGITS:
        raise QueryError(
            f"a number of {len(digits)} digits is refused; {MAX_DIGITS} are the limit",
            text=text,
            position=position,
        )
    return int(digits)

"""The target section of mist's files (.spec): one property, called target.

Each line of the section bounds places; the property is that some reachable marking keeps to one of
the lines. Bounds that mist gives to covers only (`x = 1`, `x in [1,3]`) mean what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
)
from petricheck.formats.properties.meaning import Meaning, Possible, Property, RefusedProperty
from petricheck.formats.properties.vocabulary import Vocabulary
from petricheck.formats.scanning import mist as words
from petricheck.formats.scanning.aliases import renamed
from petricheck.formats.scanning.mist import Document, PlaceInterval
from petricheck.formats.scanning.text import decoded
from petricheck.support.errors import QueryError


class Mist:
    """The target section of mist's files."""

    extensions = (".spec",)

    def read(
        self, pieces: Iterable[bytes], path: str, vocabulary: Vocabulary
    ) -> tuple[Property, ...]:
        """Return the only property, about the places that the file's variables name."""
        document = words.document(decoded(pieces, path), path)
        return (Property("target", _meaning(document, vocabulary)),)


def _meaning(document: Document, vocabulary: Vocabulary) -> Meaning:
    aliases = renamed(document.scanner, words.comment)

    def bounds(line: Mapping[str, PlaceInterval]) -> Formula:
        return conjunction(
            _bound(vocabulary, aliases.get(("place", name), name), bound)
            for name, bound in line.items()
        )

    try:
        return Possible(disjunction(map(bounds, document.target)))
    except QueryError as error:
        return RefusedProperty(error.message)


def _bound(vocabulary: Vocabulary, name: str, bound: PlaceInterval) -> Formula:
    try:
        place = vocabulary.place(name).tokens
    except QueryError as error:
        raise QueryError(f"line {bound.token.line}: {error.message}") from None
    if bound.most is None:
        return at_least(place, bound.least)
    if bound.most == bound.least:
        return equal(place, bound.least)
    return conjunction([at_least(place, bound.least), at_most(place, bound.most)])

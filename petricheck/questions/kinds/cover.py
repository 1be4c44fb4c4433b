"""The question after all markings above one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from petricheck.presburger import formulas
from petricheck.presburger.terms import variable
from petricheck.problem import Net
from petricheck.questions.kind import Reaching
from petricheck.questions.kinds._marking import Syntax, read_marking, write_marking

_SYNTAX = Syntax(
    ("=", ">="),
    "a cover asks for at least so many tokens, with '=' or '>='; for anything else use --formula",
    "the cover is empty, so that every marking would do; say how many tokens are wanted, as in "
    "'{place}=1'",
)


@dataclass(frozen=True)
class Cover(Reaching):
    """At least this marking: 'p1=1, p3=2'; places that are not named are free."""

    rank: ClassVar[int] = 20
    meaning: ClassVar[str] = "At least this marking."
    example: ClassVar[str] = "'p1=1, p3=2'"

    def read(self, net: Net, text: str) -> formulas.Formula:
        """One inequality for every place that needs a token; true where none does.

        Raises:
            QueryError: it points at the character that does not fit, or no place is named.
        """
        tokens = read_marking(net, text, _SYNTAX)
        return formulas.conjunction(
            formulas.at_least(variable(place), tokens[place])
            for place in net.places
            if tokens.get(place)
        )

    def words(self, tokens: Mapping[str, int]) -> str:
        """The words that ask for so many tokens.

        Raises:
            QueryError: a name is no text, or a number no integer that can be written.
        """
        return write_marking(tokens)

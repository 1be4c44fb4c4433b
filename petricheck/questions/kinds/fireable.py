"""The question after all markings that enable a transition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from petricheck.errors import QueryError
from petricheck.language.elements import QUOTED, Names
from petricheck.language.enabling import Needs, one_enabled
from petricheck.language.lists import GAP, entries
from petricheck.language.model import transitions_of
from petricheck.presburger import formulas
from petricheck.presburger.text import COLOURED_NAME, name_to_text
from petricheck.problem import Net
from petricheck.questions.kind import Reaching
from petricheck.words import printable

_ENTRY = re.compile(rf"(?P<name>{QUOTED}|{COLOURED_NAME}(?![^\s,\"#])|[^\s,\"#]+)?{GAP}", re.DOTALL)


@dataclass(frozen=True)
class Fireable(Reaching):
    """A transition is enabled, one of several where more are named: 't1' or 't1, t2'.

    Names are ids or unique human names, separated by commas or new lines. A name with a blank,
    comma, quote or `#` in it is put between double quotes.
    """

    rank: ClassVar[int] = 50
    meaning: ClassVar[str] = "A marking that enables a transition, or one of several."
    example: ClassVar[str] = "'t1, t2'"

    def read(self, net: Net, text: str) -> formulas.Formula:
        """That the tokens are there which one of the named transitions takes.

        Raises:
            QueryError: it points at the character that does not fit, or no transition is named.
        """
        return one_enabled(net, _needs(net, text))

    def names(self, net: Net) -> tuple[str, ...]:
        """The transitions of the file, those of the model first."""
        model = tuple(transitions_of(net))
        return model if net.origin is None else (*model, *net.actions)


def _needs(net: Net, text: str) -> list[Needs]:
    """What each of the named transitions takes."""
    names, named = Names(net), entries(_ENTRY, text, "transition")
    needs = [names.needs(name, text, entry.start()) for name, entry in named]
    if not needs:
        message = f"no transition is named; name one, as in '{_example(net)}'"
        raise QueryError(message, text=text, position=0)
    return needs


def _example(net: Net) -> str:
    """How some transition of the net is written; any name where it has none."""
    return next((printable(name_to_text(name)) for name in Fireable().names(net)), "t")

"""The question whether a marking is covered."""

from __future__ import annotations

from petricheck.arithmetic.formulas import formulas
from petricheck.model.net import Net
from petricheck.questions.kinds._marking import Marks, Tokens


class Cover(Tokens):
    """At least this marking: 'p1=1, p3=2'; places that are not named are free."""

    rank = 20
    meaning = "Are at least these tokens reachable?"
    example = "'p1=1, p3=2'"
    marks = Marks(
        ("=", ">="),
        "a cover asks for at least so many tokens, with '=' or '>='; for anything else use "
        "--formula",
        "the cover is empty, so that every marking would do; say how many tokens are wanted, as in "
        "'{place}=1'",
    )

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return one inequality for every place that needs a token; true where none does."""
        return formulas.conjunction(
            formulas.at_least(place.tokens, n) for place, n in self.counts(net, text) if n
        )

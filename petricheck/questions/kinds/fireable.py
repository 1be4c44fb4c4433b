"""The question whether a marking is reachable that enables a transition."""

from __future__ import annotations

from petricheck.arithmetic.formulas import formulas
from petricheck.formats.language.enabling import one_enabled
from petricheck.model.net import Net
from petricheck.questions.kind import Reaching
from petricheck.questions.kinds._transitions import named, names


class Fireable(Reaching):
    """A transition is enabled, one of several where more are named: 't1' or 't1, t2'.

    Names are ids or unique human names, separated by commas or new lines. A name with a blank,
    comma, quote or `#` in it is put between double quotes.
    """

    rank = 50
    meaning = "Can one of these transitions fire?"
    example = "'t1, t2'"

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the formula that one of the named transitions has the tokens that it takes."""
        return one_enabled(net, named(net, text).values())

    def names(self, net: Net) -> tuple[str, ...]:
        """Return the transitions of the file, those of the model first."""
        return names(net)

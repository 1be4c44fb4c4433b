"""The questions whose answers decide properties."""

from __future__ import annotations

from petricheck.arithmetic.formulas.text import name_to_text, term_to_text, to_text
from petricheck.formats.language.sums import summed_term
from petricheck.formats.properties import (
    AlwaysPossible,
    InvariantProperty,
    LiveProperty,
    Maximum,
    Meaning,
    Possible,
    RefusedProperty,
)
from petricheck.model.net import Net
from petricheck.questions.kinds.bound import expression
from petricheck.questions.question import (
    Question,
    question_of,
    read_question,
    require_start,
)
from petricheck.support.errors import QueryError


def property_question(net: Net, meaning: Meaning) -> Question:
    """Return the question whose answer decides a property of this meaning, over ids of the net.

    QueryError where it is refused, InputError where it names something that is not a place.
    """
    match meaning:
        case Possible(target) | InvariantProperty(target):
            return question_of(net, target)
        case AlwaysPossible(target):
            return read_question(net, "home", to_text(net.shown.formula(target)))
        case LiveProperty(transition):
            return read_question(net, "live", name_to_text(net.shown.transition(transition)))
        case Maximum(sum):
            words = term_to_text(net.shown.term(summed_term(net, sum)))
            require_start(net, "bound")
            return Question(net, "bound", words, expression(sum))
        case RefusedProperty(reason):
            raise QueryError(reason)

"""What a property says of a net is decided by the answer to its question: by brute force."""

from __future__ import annotations

from pathlib import Path

import pytest
from home_spaces import FORK, is_home, reachable_from
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from property_files import ag, at_least, ef, fireable, tag, write_properties
from strategies import nets

from petricheck.arithmetic.formulas import formulas
from petricheck.arithmetic.formulas.formulas import Negation, conjunction
from petricheck.arithmetic.formulas.terms import variable
from petricheck.formats.language.quantifier import Quantifier
from petricheck.formats.properties import (
    AlwaysPossible,
    InvariantProperty,
    LiveProperty,
    Possible,
    read_properties,
)
from petricheck.formats.properties.readers.lola import Lola
from petricheck.formats.properties.vocabulary import Vocabulary
from petricheck.model.net import Net
from petricheck.questions import check
from petricheck.questions.properties import property_question
from petricheck.support.budget import Budget


def holds(net: Net, lola: str) -> bool | None:
    """What is answered of a formula of LoLA."""
    vocabulary = Vocabulary(net)
    (prop,) = Lola().read((lola.encode(),), "file", vocabulary)
    meaning = vocabulary.spelled_out(prop.meaning)
    finding = check(property_question(net, meaning), budget=Budget(seconds=5))
    assert meaning.quantifier is not None
    return meaning.quantifier.holds(finding.value)


def truth(net: Net, quantifier: Quantifier, state: formulas.Formula) -> bool | None:
    """By definition, from all reachable markings; None where there are too many."""
    behind = reachable_from(net)
    if behind is None:
        return None
    inside = [formulas.evaluate(state, net.values(marking)) for marking in behind]
    match quantifier:
        case Quantifier.POSSIBLE:
            return any(inside)
        case Quantifier.ALWAYS:
            return all(inside)
        case Quantifier.ALWAYS_POSSIBLE:
            return is_home(net, state, behind)


@settings(max_examples=20, deadline=None)
@given(nets(), st.data())
def test_a_property_holds_where_all_reachable_markings_say_so(
    net: Net, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(net.places))
    least = data.draw(st.integers(0, 3))
    quantifier = data.draw(st.sampled_from(Quantifier))
    state, words = formulas.at_least(variable(place), least), f"{place} >= {least}"
    if data.draw(st.booleans()):
        state, words = Negation(state), f"NOT ({words})"
    expected = truth(net, quantifier, state)
    assume(expected is not None)
    assert holds(net, f"{quantifier} ({words})") in (expected, None)


@settings(max_examples=20, deadline=None)
@given(nets(), st.data())
def test_a_transition_is_live_where_it_can_always_fire(net: Net, data: st.DataObject) -> None:
    assume(net.transitions)
    transition = data.draw(st.sampled_from(net.transitions))
    state = conjunction(
        formulas.at_least(variable(net.places[place]), tokens) for place, tokens in transition.pre
    )
    expected = truth(net, Quantifier.ALWAYS_POSSIBLE, state)
    assume(expected is not None)
    assert holds(net, f"AG EF FIREABLE({transition.name})") in (expected, None)


CYCLE = net_of("p=1 q=0, go: p -> q, back: q -> p")


@pytest.mark.parametrize(
    ("net", "lola", "expected"),
    [
        (CYCLE, "AG EF q >= 1", True),
        (CYCLE, "AG EF FIREABLE(go)", True),
        (CYCLE, "AG EF (FIREABLE(go) AND FIREABLE(back))", False),
        (CYCLE, "AG EF DEADLOCK", False),
        (FORK, "AG EF DEADLOCK", True),
        (FORK, "AG EF q >= 1", False),
        (FORK, "AG EF FIREABLE(go)", False),
        (FORK, "AG EF (q >= 1 OR r >= 1)", True),
        (FORK, "AG NOT AG NOT r >= 1", True),
    ],
)
def test_always_possible_is_asked_as_home_and_live(net: Net, lola: str, expected: bool) -> None:
    assert holds(net, lola) is expected


def test_both_formats_mean_the_same_and_know_the_kind_without_a_net(tmp_path: Path) -> None:
    state = at_least(1, "q")
    xml = write_properties(
        tmp_path / "f.xml",
        possible=ef(state),
        always=ag(state),
        home=ag(ef(state)),
        live=ag(ef(fireable("go"))),
        one=ag(ef(fireable("go", "back"))),
        doubly=ag(tag("negation", ag(state))),
    )
    lola = tmp_path / "f.formula"
    lola.write_text(
        "EF q >= 1 : AG q >= 1 : AG EF q >= 1 : AG EF FIREABLE(go) :"
        "AG EF (FIREABLE(go) OR FIREABLE(back)) : AG NOT AG q >= 1"
    )
    for file in (xml, lola):
        types = [type(prop.meaning) for prop in read_properties(file, CYCLE)]
        assert (
            types
            == [Possible, InvariantProperty, AlwaysPossible, LiveProperty] + [AlwaysPossible] * 2
        )
        assert types == [type(prop.meaning) for prop in read_properties(file)]


@pytest.mark.parametrize("quantifier", Quantifier)
def test_the_answer_by_which_a_property_holds_is_read_so(quantifier: Quantifier) -> None:
    for truth in (True, False):
        assert quantifier.holds(quantifier.answer(truth)) is truth
    assert quantifier.holds(None) is None is quantifier.word(None)
    assert quantifier.word(quantifier.answer(True)) == "holds"
    assert quantifier.word(quantifier.answer(False)) == "violated"

"""Formulas over propositions keep their meaning, and what is said twice is said once."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    atoms,
    conjunction,
    disjunction,
    evaluate,
    map_atoms,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.formats.language.propositions import Propositions

PLACES = tuple("abcdefghijkl")


def marked(place: str) -> Formula:
    return at_least(variable(place), 1)


def formulas(leaves: list[Formula]) -> st.SearchStrategy[Formula]:
    return st.recursive(
        st.sampled_from(leaves),
        lambda parts: st.one_of(
            st.builds(Negation, parts),
            st.builds(Conjunction, st.lists(parts, max_size=4).map(tuple)),
            st.builds(Disjunction, st.lists(parts, max_size=4).map(tuple)),
        ),
        max_leaves=25,
    )


@pytest.mark.parametrize("count", [4, 12])
@given(st.data())
def test_what_is_spelled_out_means_the_same_and_is_no_longer(
    count: int, data: st.DataObject
) -> None:
    """Twelve atoms are more than a truth table is made for: then the parts are made small."""
    places, propositions = PLACES[:count], Propositions()
    half = count // 2
    meanings = {
        propositions.naming(disjunction(map(marked, pair))): disjunction(map(marked, pair))
        for pair in zip(places[:half], places[half:], strict=True)
    }
    formula = data.draw(formulas([*meanings, *map(marked, places[half:])]))
    meant = map_atoms(formula, lambda atom: meanings.get(atom, atom))
    written = propositions.spelled_out(formula)
    assert len([*atoms(written)]) <= len([*atoms(meant)])
    for tokens in product(range(2), repeat=count):
        marking = dict(zip(places, tokens, strict=True))
        assert evaluate(written, marking) == evaluate(meant, marking)


def test_what_is_said_often_is_spelled_out_once() -> None:
    propositions = Propositions()
    p, q = (propositions.naming(disjunction(map(marked, pair))) for pair in ("ab", "cd"))
    said = conjunction([disjunction([p, q]), disjunction([p, Negation(q)]), disjunction([p, p])])
    assert propositions.spelled_out(said) == disjunction(map(marked, "ab"))
    assert propositions.spelled_out(disjunction([p, Negation(p)])) == TRUE
    assert propositions.spelled_out(conjunction([p, Negation(p)])) == FALSE


def test_a_formula_without_propositions_stays_as_it_is() -> None:
    formula = conjunction([marked("a"), disjunction([marked("a"), at_most(variable("b"), 0)])])
    assert Propositions().spelled_out(formula) is formula

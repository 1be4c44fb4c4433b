from hypothesis import given
from hypothesis import strategies as st

from petricheck.arithmetic.formulas.terms import Term, constant, linear, variable
from petricheck.formats.properties import Maximum
from petricheck.model.net import make_net
from petricheck.questions import read_question
from petricheck.questions.properties import property_question

NAMES = ("a", "b", "c")
numbers = st.integers(-(10**20), 10**20)
terms = st.builds(linear, st.lists(st.tuples(st.sampled_from(NAMES), numbers)), numbers)
points = st.fixed_dictionaries(dict.fromkeys(NAMES, numbers))


@given(terms, terms, numbers, points)
def test_operations_commute_with_evaluation_and_take_numbers_on_either_side(
    term, other, number, point
):
    value = term.evaluate(point)
    assert (term + other).evaluate(point) == value + other.evaluate(point)
    assert (term - other).evaluate(point) == value - other.evaluate(point)
    assert (term + number).evaluate(point) == (number + term).evaluate(point) == value + number
    assert (term - number).evaluate(point) == value - number
    assert (number - term).evaluate(point) == number - value
    assert (term * number).evaluate(point) == (number * term).evaluate(point) == value * number
    assert (-term).evaluate(point) == -value


@given(terms, st.dictionaries(st.sampled_from(NAMES), terms), points)
def test_substitution_is_evaluation_at_the_values_of_the_replacements(term, replacements, point):
    moved = {name: replacements.get(name, variable(name)).evaluate(point) for name in NAMES}
    assert term.substitute(replacements).evaluate(point) == term.evaluate(moved)


def test_substitution_is_simultaneous():
    swapped = linear([("a", 1), ("b", 2)]).substitute({"a": variable("b"), "b": variable("a")})
    assert swapped == linear([("b", 1), ("a", 2)])


@given(terms, terms)
def test_equal_terms_have_one_representation(left, right):
    assert left + right == right + left
    assert left - left == Term((), 0)
    assert (left + right) - right == left


@given(terms, numbers)
def test_coefficients_stay_sorted_and_without_zeros(term, number):
    for made in (term, term * number, term - term, term + variable("b")):
        assert list(made.variables) == sorted(set(made.variables))
        assert all(value for _, value in made.coefficients)


def test_linear_sums_repeated_variables_drops_zeros_and_has_the_content_of_the_others():
    assert linear([("b", 2), ("a", 1), ("b", -2)], 5) == Term((("a", 1),), 5)
    assert linear([("a", 6), ("b", -4)], 3).content == 2
    assert constant(7).content == 0


@given(terms)
def test_the_maximum_of_a_term_is_asked_as_its_text_asks_it(term):
    net = make_net("n", dict.fromkeys(NAMES, 0), {})
    question = property_question(net, Maximum(term))
    assert question == read_question(net, "bound", question.text)

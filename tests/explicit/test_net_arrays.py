"""A net's weights as arrays, and what is kept with a net."""

import pickle
from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from strategies import nets

from petricheck.explicit.kernel.arrays import arcs_of
from petricheck.model.net import Net, Weights, make_net
from petricheck.model.weights import Vectors, transposed, vectors, weights_of

_rows = st.lists(
    st.dictionaries(st.integers(0, 4), st.integers(-3, 3) | st.just(1 << 70), max_size=4).map(
        lambda row: tuple(row.items())
    ),
    max_size=5,
)


def rows_of(given: Vectors) -> list[Weights]:
    """The vectors as pairs again."""
    pairs = [*zip(given.indices.tolist(), given.values.tolist(), strict=True)]
    starts = given.starts.tolist()
    return [tuple(pairs[begin:end]) for begin, end in pairwise(starts)]


@given(_rows)
def test_vectors_are_their_pairs(rows: list[Weights]) -> None:
    made = vectors(rows)
    assert rows_of(made) == rows
    columns = [
        tuple((n, value) for n, row in enumerate(rows) for index, value in row if index == column)
        for column in range(5)
    ]
    assert rows_of(transposed(made, 5)) == columns


@given(nets())
def test_weights_are_those_of_the_transitions(net: Net) -> None:
    weights = weights_of(net)
    assert rows_of(weights.inputs) == [transition.pre for transition in net.transitions]
    assert rows_of(weights.outputs) == [transition.post for transition in net.transitions]
    assert rows_of(weights.effects) == [transition.effect for transition in net.transitions]


@given(nets())
def test_inputs_that_fewer_transitions_feed_come_first(net: Net) -> None:
    arcs = arcs_of(net)
    feeding = Counter(p for t in net.transitions for p, change in t.effect if change > 0)
    inputs = Vectors(arcs.input_starts, arcs.inputs, arcs.input_weights)
    for row, transition in zip(rows_of(inputs), net.transitions, strict=True):
        assert sorted(row) == sorted(transition.pre)
        assert [feeding[place] for place, _ in row] == sorted(feeding[place] for place, _ in row)


def test_weights_may_be_of_any_size() -> None:
    net = make_net("n", {"p": 0}, {"t": ({"p": 1}, {"p": 1 << 70}), "u": ({"p": 1}, {"p": 1})})
    assert rows_of(weights_of(net).effects) == [((0, (1 << 70) - 1),), ()]


def test_what_is_kept_with_a_net_is_made_once_and_not_sent_along() -> None:
    net = make_net("n", {"p": 1}, {"t": ({"p": 1}, {})})
    assert arcs_of(net) is arcs_of(net)
    assert pickle.loads(pickle.dumps(net)) == net
    assert set(vars(pickle.loads(pickle.dumps(net)))) == set(vars(Net("m", (), (), ())))

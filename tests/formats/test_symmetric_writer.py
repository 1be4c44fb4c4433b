"""Coloured nets are written as PNML that the reader gives back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from coloured_nets import coloured_nets, reachable
from folders import NETS
from hypothesis import given
from strategies import repeatable
from symmetric_writer import document

from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Enumeration, Product, Sort
from petricheck.model.coloured.terms import Constant, Shifted, Summand, Tuple, Variable
from petricheck.support.errors import InputError

LIMIT = 60


def _products(net: ColouredNet) -> Iterator[Product]:
    """The products among the sorts of the places, and in these, and of the variables."""
    sorts: list[Sort] = [place.sort for place in net.places]
    sorts += [variable.sort for transition in net.transitions for variable in transition.variables]
    while sorts:
        if isinstance(sort := sorts.pop(), Product):
            yield sort
            sorts += sort.factors


@repeatable(100)
@given(coloured_nets().filter(lambda net: all(len(of.factors) > 1 for of in _products(net))))
@pytest.mark.slow
def test_what_is_written_is_read_as_the_same_net(net: ColouredNet) -> None:
    back, warnings = Pnml().read((document(net),), "n.pnml")
    assert isinstance(back, ColouredNet) and not warnings
    assert [(p.name, p.sort) for p in back.places] == [(p.name, p.sort) for p in net.places]
    assert back.initial == net.initial
    assert reachable(back, LIMIT) == reachable(net, LIMIT)
    assert document(back) == document(net)


@pytest.mark.parametrize("name", ["philosophers", "careful_philosophers"])
def test_a_net_of_the_project_comes_back(name: str, tmp_path: Path) -> None:
    net = read_net(NETS / f"{name}.pnml").source
    assert isinstance(net, ColouredNet)
    (tmp_path / "copy.pnml").write_bytes(document(net))
    assert read_net(tmp_path / "copy.pnml").source == net


def test_a_product_of_one_factor_is_written_and_read_as_the_factor() -> None:
    one = Product("one", (SORT,))
    net = ColouredNet("", (Place("p", one, (Summand(2, Tuple((Constant(SORT, 1),))),)),), ())
    back, _ = Pnml().read((document(net),), "n.pnml")
    assert isinstance(back, ColouredNet)
    assert (back.places[0].sort, back.initial) == (SORT, ({1: 2},))


SORT = Enumeration("of 2", ("a", "<b>"))
X, Y = Variable("x", SORT), Variable("y", SORT)


def net_that_puts(*summands: Summand) -> ColouredNet:
    """A transition without inputs, and a place of pairs."""
    pairs = Place("p", Product("", (SORT, SORT)), (), 'it\'s "p"')
    return ColouredNet("", (pairs,), (Transition("t", (), ((0, summands),)),))


def test_odd_names_and_colours_of_products_are_written() -> None:
    net = net_that_puts(
        Summand(3, Tuple((X, X))), Summand(1, Constant(Product("", (SORT,) * 2), 3))
    )
    back, _ = Pnml().read((document(net),), "n.pnml")
    assert isinstance(back, ColouredNet) and back.places[0].label == net.places[0].label
    fixed = Tuple((Constant(SORT, 1), Constant(SORT, 1)))
    assert back == net_that_puts(Summand(3, Tuple((X, X))), Summand(1, fixed))


@pytest.mark.parametrize(
    "summand",
    [
        Summand(1, Tuple((X, X)), (X,)),
        Summand(1, Tuple((Shifted(X, 1), Y)), (X,)),
        Summand(1, Tuple((Y, Y)), (X,)),
        Summand(-1, Tuple((X, Y))),
    ],
)
def test_a_sum_that_pnml_cannot_write_is_refused(summand: Summand) -> None:
    with pytest.raises(InputError, match=r"all colours|no tokens"):
        document(net_that_puts(summand))


@pytest.mark.parametrize(("name", "words"), [("x", "share"), ("y\x01", r"'y\\x01' has")])
def test_names_that_pnml_cannot_hold_are_refused(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        document(ColouredNet("n", (Place("x", SORT),), (Transition(name, (), ()),)))

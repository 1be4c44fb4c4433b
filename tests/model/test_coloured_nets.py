"""Coloured nets fire, and unfold, as all their bindings tried one by one say."""

from __future__ import annotations

from coloured_firing import enabled, fire
from coloured_nets import Marking, coloured_nets, firings, marking_of, reachable
from hypothesis import given
from oracle import explore
from strategies import repeatable

from petricheck.evidence.audit.colours.unfolding import check_unfolding
from petricheck.model.coloured.net import Binding, ColouredNet, Transition
from petricheck.model.coloured.unfolding import place_name, unfold
from petricheck.support.budget import Budget

LIMIT = 60


@repeatable(50)
@given(coloured_nets())
def test_firing_is_that_of_all_bindings(net: ColouredNet) -> None:
    initial = marking_of(dict(enumerate(net.initial)))
    fired = {(name, *binding.items(), after) for name, binding, after in firings(net, initial)}
    assert fired == {
        (t.name, *((v.name, binding[v.name]) for v in t.variables), _after(net, t, binding))
        for t in net.transitions
        for binding in enabled(t, net.initial)
    }


def _after(net: ColouredNet, transition: Transition, binding: Binding) -> Marking:
    return marking_of(dict(enumerate(fire(transition, net.initial, binding))))


@repeatable(50)
@given(coloured_nets())
def test_the_unfolding_has_the_markings_of_the_coloured_net(net: ColouredNet) -> None:
    flat = unfold(net, Budget())
    check_unfolding(flat)
    markings, unfolded = reachable(net, LIMIT), explore(flat, LIMIT)
    assert (markings is None) == (unfolded is None)
    if markings is not None and unfolded is not None:
        assert {_named(net, marking) for marking in markings} == {
            frozenset((name, k) for name, k in zip(flat.places, m, strict=True) if k)
            for m in unfolded
        }


def _named(net: ColouredNet, marking: Marking) -> frozenset[tuple[str, int]]:
    """Tokens by name of a place of the unfolding."""
    return frozenset((place_name(net, place, colour), k) for place, colour, k in marking)

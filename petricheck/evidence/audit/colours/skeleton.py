"""The check that a net counts the tokens of a coloured net, whatever their colours.

Each place has initially as many tokens as that of the coloured net has of all colours, and each
transition takes and puts as many. These numbers do not depend on the binding: an arc has the sum of
its counts, times the sizes of the sorts over which variables range. Of no colour may an arc have
less than no token, which the sum would hide (`differences`). Refused are summands of no tokens, and
variables that range but do not occur: no file has such, and rules about colours (`class_counts`,
`interchangeable`) do without them.

So whatever the coloured net fires, this net can fire, with the same numbers of tokens. What this
net never reaches, the coloured net never reaches. But this net ignores guards and colours. So
a trace must name bindings, and is replayed by the coloured net (`bindings`).
"""

from __future__ import annotations

from math import prod

from petricheck.arithmetic.formulas.text import node_text
from petricheck.evidence.audit.colours.differences import is_never_negative
from petricheck.model.coloured.net import Arcs, ColouredNet
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.coloured.terms import TRUE, Multiset, variables
from petricheck.model.net import Net, Weights, cached_by_net
from petricheck.support.errors import EvidenceError


@cached_by_net
def check_skeleton(net: Net) -> None:
    """Check that the net counts the tokens of its coloured net.

    Raises:
        EvidenceError: it does not.
    """
    origin = net.origin
    _require(isinstance(origin, Skeleton), "nothing says of what")
    assert isinstance(origin, Skeleton)
    coloured = origin.coloured
    _require(is_counted(coloured), "an arc may subtract more than there is")
    _require(
        net.places == tuple(node_text(place.name) for place in coloured.places), "other places"
    )
    _require(len(net.place_numbers) == len(net.places), "two places have the same name")
    initial = tuple(_total(place.initial) for place in coloured.places)
    _require(net.initial == initial, "another initial marking")
    _require(
        net.actions == tuple(node_text(t.name) for t in coloured.transitions), "other transitions"
    )
    _require(len(net.transition_numbers) == len(net.transitions), "two transitions have one name")
    for counting, transition in zip(net.transitions, coloured.transitions, strict=True):
        same = counting.pre == _totals(transition.pre), counting.post == _totals(transition.post)
        _require(all(same), f"another transition {transition.name}")


def is_counted(net: ColouredNet) -> bool:
    """Return whether no arc, and no initial marking, has less than no token of some colour."""
    arcs = ((m, t.guard) for t in net.transitions for _, m in (*t.pre, *t.post))
    initial = ((place.initial, TRUE) for place in net.places)
    return all(is_never_negative(*pair) for pair in (*initial, *arcs))


def _totals(arcs: Arcs) -> Weights:
    places = [place for place, _ in arcs]
    _require(places == sorted(set(places)), "two arcs are between the same nodes")
    totals = ((place, _total(multiset)) for place, multiset in arcs)
    return tuple((place, total) for place, total in totals if total)


def _total(multiset: Multiset) -> int:
    total = 0
    for summand in multiset:
        _require(summand.count != 0, "a summand of no tokens")
        ranging = [variable.name for variable in summand.ranging]
        occurring = {*ranging} <= variables(summand.term).keys() and len({*ranging}) == len(ranging)
        _require(occurring, "a variable ranges and does not occur")
        total += summand.count * prod([variable.sort.size for variable in summand.ranging])
    return total


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise EvidenceError(f"the net does not count the tokens of the coloured one: {what}")

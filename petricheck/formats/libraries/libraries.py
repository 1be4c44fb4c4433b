"""Nets of other libraries, which are recognized by what they offer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from petricheck.formats.libraries import _from_pm4py, from_snakes
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.unfolding import unfold
from petricheck.model.coloured.well_sorted import check_sorts
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.support.errors import InputError


@runtime_checkable
class SnakesNet(Protocol):
    """The interface of a `snakes.nets.PetriNet`."""

    @property
    def globals(self) -> Any:
        """The names that its expressions may use."""

    def place(self, name: Any = None) -> Any:
        """Return a place, or all of them."""

    def transition(self, name: Any = None) -> Any:
        """Return a transition, or all of them."""


@runtime_checkable
class Pm4pyNet(Protocol):
    """The interface of a `PetriNet` of pm4py."""

    @property
    def places(self) -> Collection[Any]:
        """The places, in any order."""

    @property
    def transitions(self) -> Collection[Any]:
        """The transitions, in any order."""

    @property
    def arcs(self) -> Collection[Any]:
        """The arcs, in any order."""


Pm4pyMarking: TypeAlias = Mapping[Any, int]
"""Tokens by place, of those places that have some."""

AnyNet: TypeAlias = (
    Net
    | ColouredNet
    | SnakesNet
    | Pm4pyNet
    | tuple[Pm4pyNet, Pm4pyMarking]
    | tuple[Pm4pyNet, Pm4pyMarking, Pm4pyMarking | None]
)
"""What is taken for a net; one of pm4py needs its markings."""


def net_of(
    source: AnyNet, initial: Pm4pyMarking | None = None, final: Pm4pyMarking | None = None
) -> Net:
    """Return the place/transition net that this is; coloured ones come unfolded.

    Args:
        source: the net; of pm4py also with its markings, as its discovery returns them.
        initial: the initial marking of a net of pm4py.
        final: its final marking, if it has one.

    Raises:
        InputError: it is no net, or one that cannot be read.
        BudgetExhausted: the unfolding is too large.
    """
    parts: tuple[Any, ...] = (source, initial, final)
    if isinstance(source, tuple) and initial is None and len(source) in (2, 3):
        parts = (*source, final)[:3]
    match parts:
        case Net() as net, None, None:
            return net
        case ColouredNet() as net, None, None:
            check_sorts(net)
            return unfold(net, Budget())
        case SnakesNet() as net, None, None:
            return net_of(from_snakes(net))
        case Pm4pyNet() as net, Mapping() as start, None | Mapping() as end:
            return _from_pm4py.read(net, start, end)
        case Pm4pyNet(), None, _:
            raise InputError(
                "a net of pm4py has no initial marking of its own; give (net, initial, final), as "
                "its discovery returns them"
            )
    raise InputError(
        f"this is no net but of type {type(source).__name__}; a net is one of petricheck or of "
        "SNAKES, or (net, initial, final) of pm4py"
    )

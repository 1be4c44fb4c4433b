"""Place/transition nets and markings: frozen and exact.

Places and transitions are numbered in the order of the file; markings are tuples in that order.
Weights are stored sparsely, so nets with tens of thousands of nodes stay small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from petricheck.model.drawing import forms, graph
from petricheck.model.drawing.graph import Graph
from petricheck.model.node_names import NodeNames, node_names
from petricheck.model.origin import FiringNumbers, Origin
from petricheck.support.arguments import require_type, shown, whole
from petricheck.support.errors import InputError

if TYPE_CHECKING:
    from petricheck.model.guarded.net import Guard
    from petricheck.model.initial_markings import InitialMarkings

Value = TypeVar("Value")
Others = ParamSpec("Others")

Marking: TypeAlias = tuple[int, ...]
"""Tokens per place, in the net's order."""

Weights: TypeAlias = tuple[tuple[int, int], ...]
"""(place number, weight), sorted by place, weights not 0: a sparse vector over the places."""


@dataclass(frozen=True)
class Transition:
    """One transition: `pre` tokens are needed and taken, `post` tokens are put.

    Attributes:
        name: its id, unique in the net.
        pre: u_t, positive weights.
        post: v_t, positive weights.
        label: a human name, "" where there is none; it need not be unique.
    """

    name: str
    pre: Weights
    post: Weights
    label: str = field(default="", compare=False)

    @cached_property
    def effect(self) -> Weights:
        """The effect δ_t = v_t − u_t, without zeros."""
        change: dict[int, int] = {}
        for place, weight in self.post:
            change[place] = change.get(place, 0) + weight
        for place, weight in self.pre:
            change[place] = change.get(place, 0) - weight
        return tuple(sorted((p, w) for p, w in change.items() if w))

    @cached_property
    def end_guard(self) -> Weights:
        """The least marking after a firing: v_t, with 0 for the places of u_t alone."""
        return tuple(sorted((dict.fromkeys((p for p, _ in self.pre), 0) | dict(self.post)).items()))

    def renumbered(self, numbers: Sequence[int]) -> Transition:
        """Return the transition with new place numbers; places numbered −1 are left out."""
        pre, post, effect = (
            tuple([(numbers[place], w) for place, w in weights if numbers[place] >= 0])
            for weights in (self.pre, self.post, self.effect)
        )
        transition = Transition(self.name, pre, post, self.label)
        vars(transition)["effect"] = effect  # It need not be computed anew.
        return transition

    def enabled(self, marking: Marking) -> bool:
        """Return whether marking ≥ u_t."""
        return all(marking[place] >= weight for place, weight in self.pre)

    def fire(self, marking: Marking, times: int = 1) -> Marking:
        """Return the marking + times·δ_t, even if the transition is not enabled."""
        after = list(marking)
        for place, weight in self.effect:
            after[place] += times * weight
        return tuple(after)

    def fires(self, marking: Marking, times: int) -> bool:
        """Return whether t can fire `times` ≥ 1 times in a row: m ≥ u and m + (times − 1)·δ ≥ u."""
        if not self.enabled(marking):
            return False
        after = self.fire(marking, times)
        return all(after[place] >= weight for place, weight in self.end_guard)

    def most(self, marking: Sequence[int] | Mapping[int, int]) -> int | None:
        """Return the number of firings in a row once it is enabled; None without a limit."""
        counts = ((int(marking[p]) - need) // loss + 1 for p, need, loss in self._drains)
        return min(counts, default=None)

    @cached_property
    def _drains(self) -> tuple[tuple[int, int, int], ...]:
        """A tuple (place, tokens needed, tokens lost) for each place that a firing takes from."""
        needed = dict(self.pre)
        return tuple((place, needed[place], -loss) for place, loss in self.effect if loss < 0)


@dataclass(frozen=True, repr=False)
class Net:
    """A place/transition net with its initial marking.

    Attributes:
        name: the net's id.
        places: ids, unique.
        transitions: in the order of the file, ids unique.
        initial: tokens per place, none negative.
        labels: human names per place, "" where there is none; they need not be unique.
        initials: the initial markings, where there are several; the net has added transitions for
            them, and `initial` is less than each. None where `initial` is the only one.
        origin: what it was unfolded from, None for a net that is as it was read.
        finals: final markings, in the order of the file; they are no part of the behaviour, and
            what is made of the net, such as a reduction, has none.
    """

    name: str
    places: tuple[str, ...]
    transitions: tuple[Transition, ...]
    initial: Marking
    labels: tuple[str, ...] = ()
    initials: InitialMarkings | None = None
    origin: Origin | None = field(default=None, compare=False)
    finals: tuple[Marking, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone; cached values are computed again where they are needed."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}

    def __str__(self) -> str:
        return forms.to_text(self)

    def __repr__(self) -> str:
        return f"<Net {forms.headline(self)}>"

    def _repr_html_(self) -> str:
        return forms.to_html(self)

    @cached_property
    def known(self) -> tuple[int, ...]:
        """The numbers of the places that users know: all but those that an origin hides."""
        hidden = self.origin.hidden if self.origin else ()
        return tuple(number for number, place in enumerate(self.places) if place not in hidden)

    @property
    def is_unfolded(self) -> bool:
        """Whether its places and transitions stand for colours."""
        return self.origin is not None and self.origin.has_colours

    @property
    def nodes(self) -> int:
        """The number of drawn places and transitions: those of the net before unfolding, if any."""
        return self.origin.nodes if self.origin else len(self.places) + len(self.transitions)

    def graph(self, marking: Marking | None = None) -> Graph:
        """Return the drawing's graph of the net, or of the net before unfolding, with a marking."""
        if self.origin:
            return self.origin.graph(marking)
        tokens = self.initial if marking is None else marking
        return Graph(
            tuple(map(graph.DrawnPlace, self.places, tokens)),
            tuple(
                graph.DrawnTransition(t.name, t.pre, t.post)
                for t in self.transitions
                if t.name not in self.added
            ),
        ).named(self.shown)

    def draw(self, form: str = "svg") -> str:
        """Return a picture of the net, or of the coloured net from which it was unfolded.

        Args:
            form: `svg`, laid out, for nets of at most 100 places and transitions together; or
                `dot`, for Graphviz, which lays out nets of any size.

        Raises:
            QueryError: there is no such form, or the net is too large for it.
        """
        return forms.drawn(self, form)

    @cached_property
    def place_numbers(self) -> Mapping[str, int]:
        """The place numbers by place id."""
        return {name: number for number, name in enumerate(self.places)}

    @cached_property
    def transition_numbers(self) -> Mapping[str, int]:
        """The transition numbers by transition id; also of firings that a transition stands for."""
        numbers = {transition.name: n for n, transition in enumerate(self.transitions)}
        return numbers if self.origin is None else FiringNumbers(numbers, self.origin)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The transitions' ids, in their order."""
        return tuple(transition.name for transition in self.transitions)

    @cached_property
    def shown(self) -> NodeNames:
        """The names by which people see places and transitions; those of the model, if any."""
        if self.origin is not None:
            return self.origin.shown
        if not self.labels and not any(transition.label for transition in self.transitions):
            return NodeNames()
        labels_of_places = self.labels or ("",) * len(self.places)
        names = node_names(
            zip(self.places, labels_of_places, strict=True),
            ((transition.name, transition.label) for transition in self.transitions),
        )
        places = self.parameters.items()
        parameters = {name: f"{names.place(p)}₀" for name, p in places if p in names.places}
        return replace(names, places={**names.places, **parameters}) if parameters else names

    def speaks_of(self, name: str) -> bool:
        """Return whether formulas may name it: a place, a parameter, what the origin observes."""
        observed = self.origin is not None and self.origin.observes(name)
        return name in self.place_numbers or name in self.parameters or observed

    @property
    def left_out(self) -> Mapping[int, Guard]:
        """The guards that it leaves out, as ordinary net of a guarded one; by transition number."""
        return self.origin.left_out if self.origin else {}

    @property
    def added(self) -> frozenset[str]:
        """The transitions that the file does not have: they make the initial markings."""
        return frozenset() if self.initials is None else self.initials.added

    @property
    def parameters(self) -> Mapping[str, str]:
        """The places whose initial tokens formulas may name, by this name."""
        return {} if self.initials is None else self.initials.parameters

    def values(self, marking: Marking) -> dict[str, int]:
        """Return the marking by place id, as formulas are evaluated on it."""
        return dict(zip(self.places, marking, strict=True))

    def after(self, steps: Iterable[tuple[str, int]]) -> Marking:
        """Return the marking after (transition id, times) steps, even if they cannot fire.

        Raises:
            KeyError: a step names no transition.
        """
        tokens = list(self.initial)
        for name, times in steps:
            for place, number in self.changed(tokens, name, times).items():
                tokens[place] = number
        return tuple(tokens)

    def changed(self, tokens: Sequence[int], name: str, times: int) -> dict[int, int]:
        """Return the new numbers of tokens, by place, after firings of a transition.

        Raises:
            KeyError: it names no transition.
        """
        number = self.transition_numbers[name]
        transition = self.transitions[number]
        changed = {place: tokens[place] + times * change for place, change in transition.effect}
        for place in self.left_out[number].resets if number in self.left_out else ():
            changed[place] = dict(transition.post).get(place, 0)
        return changed

    def beginning(self, marking: Marking) -> Net:
        """Return the net with another initial marking."""
        return replace(self, initial=marking)

    def without(self, places: Set[int], transitions: Iterable[int] | None = None) -> Net:
        """Return the net without these places, and with these transitions only, or with all."""
        numbers = range(len(self.transitions)) if transitions is None else transitions
        remaining = tuple(self.transitions[number] for number in numbers)
        if not places:
            return replace(self, transitions=remaining, origin=None, finals=())
        left = [place for place in range(len(self.places)) if place not in places]
        numbers = [-1] * len(self.places)
        for number, place in enumerate(left):
            numbers[place] = number
        return replace(
            self,
            places=tuple(self.places[place] for place in left),
            transitions=tuple(transition.renumbered(numbers) for transition in remaining),
            initial=tuple(self.initial[place] for place in left),
            labels=tuple(self.labels[place] for place in left) if self.labels else (),
            origin=None,
            finals=(),
        )


def cached_by_net(
    function: Callable[Concatenate[Net, Others], Value],
) -> Callable[Concatenate[Net, Others], Value]:
    """Return the function, computed once for each net and cached as long as the net lives.

    What else it takes, such as limits, must not change the value.
    """

    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def kept(net: Net, *others: Others.args, **named: Others.kwargs) -> Value:
        values = vars(net)  # as cached properties do
        if name not in values:
            values[name] = function(net, *others, **named)
        return cast(Value, values[name])

    return cast(Callable[Concatenate[Net, Others], Value], kept)


def make_net(
    name: str,
    initial: Mapping[str, int],
    transitions: Mapping[str, tuple[Mapping[str, int], Mapping[str, int]]],
    finals: Sequence[Mapping[str, int]] = (),
) -> Net:
    """Return a net from plain dictionaries.

        make_net("lock", {"free": 1, "held": 0}, {"take": ({"free": 1}, {"held": 1})})

    Args:
        name: the net's id.
        initial: tokens by place; its keys are the places, in order.
        transitions: by transition the weights by place of what it takes, and of what it puts.
        finals: final markings, tokens by place; places that one does not name are empty there.

    Raises:
        InputError: an unknown place is named, a number is no whole number or out of range, or
            something is of another shape.
    """
    require_type(name, str, "the name of a net is a text")
    _require_names(initial, "the initial marking", "place")
    _require_names(transitions, "the transitions", "transition")
    require_type(finals, Sequence, "the final markings are a list of dictionaries")
    numbers = {place: number for number, place in enumerate(initial)}

    def counts(owner: str, mapping: Mapping[str, int], least: int) -> Weights:
        require_type(mapping, Mapping, f"{owner} is given by a dictionary of numbers by place")
        for place in mapping:
            if place not in numbers:
                raise InputError(f"{owner} names {place!r}, which is no place of the net")
        pairs = mapping.items()
        return tuple(sorted((numbers[p], whole(n, least, f"{owner}: {p!r}")) for p, n in pairs))

    def marking(owner: str, tokens: Mapping[str, int]) -> Marking:
        held = dict(counts(owner, tokens, 0))
        return tuple(held.get(number, 0) for number in range(len(numbers)))

    def transition(name: str, sides: tuple[Mapping[str, int], Mapping[str, int]]) -> Transition:
        owner = f"transition {name!r}"
        if not isinstance(sides, tuple | list) or len(sides) != 2:
            pair = "what it takes and what it puts"
            raise InputError(f"{owner} is a pair, {pair}, and not {shown(sides)}")
        pre, post = sides
        return Transition(name, counts(owner, pre, 1), counts(owner, post, 1))

    return Net(
        name,
        tuple(initial),
        tuple(transition(name, sides) for name, sides in transitions.items()),
        marking("the initial marking", initial),
        finals=tuple(marking("a final marking", tokens) for tokens in finals),
    )


def _require_names(mapping: Mapping[str, Any], owner: str, node: str) -> None:
    """Refuse what is no dictionary by names of places or of transitions."""
    require_type(mapping, Mapping, f"{owner} is given by a dictionary by {node}")
    for name in mapping:
        require_type(name, str, f"the name of a {node} is a text")

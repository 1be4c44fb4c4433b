"""Nets of pm4py, by pm4py itself where it is installed, and by classes that offer the same."""

from __future__ import annotations

import importlib
from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from oracle import explore
from strategies import nets

import petricheck
from petricheck.arithmetic.formulas.formulas import at_least
from petricheck.arithmetic.formulas.terms import variable
from petricheck.model.net import Net
from petricheck.support.errors import InputError

SYSTEM = {"a": ({"p": 1, "q": 2}, {"q": 1}), "b": ({}, {"p": 3}), "c": ({"q": 1}, {})}
NET = petricheck.make_net("n", {"p": 0, "q": 2}, SYSTEM, [{"p": 4}])


# Classes with the attributes of pm4py's; places and transitions are compared by identity.


@dataclass(eq=False)
class Node:
    name: str | None
    label: str | None = None
    in_arcs: set[Any] = field(default_factory=set)
    out_arcs: set[Any] = field(default_factory=set)
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Arc:
    source: Node
    target: Node
    weight: Any = 1
    properties: dict[str, Any] = field(default_factory=dict)


class InhibitorArc(Arc):
    pass


class ResetArc(Arc):
    pass


@dataclass(eq=False)
class PetriNet:
    name: str | None
    places: set[Node] = field(default_factory=set)
    transitions: set[Node] = field(default_factory=set)
    arcs: set[Arc] = field(default_factory=set)

    Place = Transition = Node
    Arc = Arc


IMITATION = SimpleNamespace(
    PetriNet=PetriNet,
    Marking=Counter,
    InhibitorNet=SimpleNamespace(InhibitorArc=InhibitorArc),
    ResetNet=SimpleNamespace(ResetArc=ResetArc),
)
REAL = "pm4py.objects.petri_net.obj"


@pytest.fixture(params=["imitated", "real"], scope="module")
def library(request: pytest.FixtureRequest) -> Any:
    if request.param == "imitated":
        return IMITATION
    pytest.importorskip("pm4py")
    return importlib.import_module(REAL)


def join(net: Any, arc: Any) -> None:
    """As `petri_utils.add_arc_from_to` does."""
    arc.source.out_arcs.add(arc)
    arc.target.in_arcs.add(arc)
    net.arcs.add(arc)


def written(net: Net, library: Any) -> tuple[Any, Any, Any]:
    """The net with its markings as the library has them; its only final marking, or none."""
    foreign = library.PetriNet(net.name)
    places = [library.PetriNet.Place(name) for name in net.places]
    foreign.places.update(places)
    for transition in net.transitions:
        node = library.PetriNet.Transition(transition.name, transition.label or None)
        foreign.transitions.add(node)
        for place, weight in transition.pre:
            join(foreign, library.PetriNet.Arc(places[place], node, weight))
        for place, weight in transition.post:
            join(foreign, library.PetriNet.Arc(node, places[place], weight))
    initial, *final = (
        library.Marking({place: n for place, n in zip(places, tokens, strict=True) if n})
        for tokens in (net.initial, *net.finals)
    )
    return foreign, initial, final[0] if final else None


def example(library: Any) -> tuple[Any, Any, Any]:
    return written(NET, library)


def test_a_net_is_read_with_its_markings_in_each_form(library: Any) -> None:
    net, initial, final = example(library)
    assert petricheck.load((net, initial, final)) == petricheck.load(net, initial, final) == NET
    none = petricheck.make_net("n", {"p": 0, "q": 2}, SYSTEM)
    assert petricheck.load(net, initial) == petricheck.load((net, initial)) == none
    assert petricheck.load(net, initial, library.Marking()) == none


@given(net=nets())
def test_every_net_comes_back_as_it_was(library: Any, net: Net) -> None:
    assert petricheck.load(written(net, library)) == net


def test_what_pm4py_fires_is_what_is_reached() -> None:
    """By the token game of pm4py, on a net with weights and a silent transition."""
    pytest.importorskip("pm4py")
    semantics = importlib.import_module("pm4py.objects.petri_net.semantics")
    loop = {"a": ({"p": 2}, {"q": 1}), "b": ({"q": 2}, {"p": 1}), "c": ({"q": 1}, {"p": 2})}
    net = petricheck.make_net("n", {"p": 6, "q": 0}, loop)
    foreign, initial, _ = written(net, importlib.import_module(REAL))
    pending, reached = [initial], set()
    while pending:
        marking = pending.pop()
        by_name = {place.name: tokens for place, tokens in marking.items()}
        tokens = tuple(by_name.get(place, 0) for place in net.places)
        if tokens not in reached:
            reached.add(tokens)
            enabled = semantics.enabled_transitions(foreign, marking)
            pending += [semantics.execute(t, foreign, marking) for t in enabled]
    assert reached == explore(petricheck.load(foreign, initial), 100)


def test_every_function_that_takes_a_net_takes_one_of_pm4py(library: Any) -> None:
    triple, target = example(library), at_least(variable("p"), 3)
    question = petricheck.ask(triple, cover={"p": 3})
    assert petricheck.check(question).value is True
    assert petricheck.check(triple, target).value is True
    assert [found.value for found in petricheck.check_all(triple, [question, target])] == [True] * 2
    assert petricheck.make_problem(triple, target).net == NET


def test_labels_are_labels_and_silent_transitions_have_none(library: Any) -> None:
    net = library.PetriNet("n")
    place = library.PetriNet.Place("p")
    place.properties["place_name_tag"] = "start"
    net.places.add(place)
    for name, label in (("1", None), ("2", "pay"), ("3", "pay"), ("4", "ask")):
        net.transitions.add(library.PetriNet.Transition(name, label))
    read = petricheck.load(net, library.Marking())
    assert [(t.name, t.label) for t in read.transitions] == [
        ("1", ""), ("4", "ask"), ("2", "pay"), ("3", "pay"),
    ]  # fmt: skip
    assert read.labels == ("start",)
    assert petricheck.check(petricheck.ask(read, fireable="ask")).value is True


def test_names_that_are_missing_or_repeated_are_told_apart(library: Any) -> None:
    net, place, transition = (library.PetriNet(None), library.PetriNet.Place,
                              library.PetriNet.Transition)  # fmt: skip
    places = [place(name) for name in (None, "", "p", "x", "x", "x_3")]
    nodes = [transition(None), transition("t"), transition("t")]
    net.places.update(places)
    net.transitions.update(nodes)
    join(net, library.PetriNet.Arc(places[3], nodes[1], 2))
    join(net, library.PetriNet.Arc(nodes[1], places[4], 3))
    read = petricheck.load(net, library.Marking({places[3]: 2}))
    assert len({*read.places}) == 6
    assert {"p", "x_3"} <= {*read.places}
    assert len({*read.actions}) == 3
    (moves,) = (t for t in read.transitions if t.pre)
    ((source, taken),), ((target, put),) = moves.pre, moves.post
    assert (taken, put, read.initial[source], read.initial[target]) == (2, 3, 2, 0)
    assert {read.places[source], read.places[target]}.isdisjoint({"p", "x_3"})


def test_parallel_arcs_are_summed(library: Any) -> None:
    net, initial, final = example(library)
    (put,) = (t for t in net.transitions if t.name == "b")
    join(net, library.PetriNet.Arc(put, next(p for p in net.places if p.name == "p"), 4))
    post = petricheck.load(net, initial, final).transitions[1].post
    assert post == ((0, 7),)


def random_variable(kind: str | None, priority: int) -> Any:
    return SimpleNamespace(get_distribution_type=lambda: kind, get_priority=lambda: priority)


@pytest.mark.parametrize("weight", [0, -1, 1.5, 2.0, "1", None, {1: 0.5, 2: 0.5}])
def test_a_weight_that_is_no_positive_integer_is_refused(library: Any, weight: Any) -> None:
    net, initial, _ = example(library)
    next(iter(net.arcs)).weight = weight
    with pytest.raises(InputError, match=r"the weight of the arc .* whole number, at least 1"):
        petricheck.load(net, initial)


def special(library: Any, kind: str, *ends: Any) -> Any:
    """An arc of a class of pm4py that is not the normal one."""
    return getattr(getattr(library, f"{kind}Net"), f"{kind}Arc")(*ends)


def emptied(library: Any) -> tuple[Any, Any]:
    """A net with its marking: a fills p while q is empty, and b empties p."""
    sides = {"a": ({}, {"p": 1}), "b": ({"q": 1}, {})}
    plain = petricheck.make_net("n", {"p": 1, "q": 1}, sides)
    net, initial, _ = written(plain, library)
    nodes = {node.name: node for node in (*net.places, *net.transitions)}
    join(net, special(library, "Inhibitor", nodes["q"], nodes["a"]))
    join(net, special(library, "Inhibitor", nodes["p"], nodes["a"]))
    join(net, special(library, "Reset", nodes["p"], nodes["b"]))
    return net, initial


def test_inhibitor_and_reset_arcs_mean_what_they_mean_in_pm4py(library: Any) -> None:
    net = petricheck.load(*emptied(library))
    reached = {tokens[:2] for tokens in explore(net, 100)}
    assert reached == {(1, 1), (0, 0), (1, 0)}
    assert petricheck.check(net, at_least(variable("p"), 2)).value is False


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda arc: setattr(arc, "weight", 2), "which pm4py ignores"),
        (lambda arc: arc.properties.update(arctype="normal"), "is of type 'normal', but only"),
        (lambda arc: setattr(arc, "__class__", type("TestArc", (type(arc),), {})), "'TestArc'"),
    ],
)
def test_an_arc_of_an_unclear_kind_is_refused(library: Any, change: Any, words: str) -> None:
    net, initial = emptied(library)
    change(next(arc for arc in net.arcs if "Arc" in type(arc).__name__[1:]))
    with pytest.raises(InputError, match=words):
        petricheck.load(net, initial)


@pytest.mark.parametrize("kind", ["Inhibitor", "Reset"])
def test_a_special_arc_to_a_place_is_refused(library: Any, kind: str) -> None:
    net, initial, _ = example(library)
    place, transition = next(iter(net.places)), next(iter(net.transitions))
    join(net, special(library, kind, transition, place))
    with pytest.raises(InputError, match="leads to a place"):
        petricheck.load(net, initial)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("guard", "x > 0", "has a guard"),
        ("stochastic_distribution", random_variable("EXPONENTIAL", 0), "a delay or a priority"),
        ("stochastic_distribution", random_variable("IMMEDIATE", 1), "a delay or a priority"),
        ("stochastic_distribution", random_variable("IMMEDIATE", 0), ""),
        ("trans_name_tag", "x", ""),
    ],
)
def test_what_may_hold_back_transitions_is_refused(
    library: Any, key: str, value: Any, words: str
) -> None:
    net, initial, _ = example(library)
    next(iter(net.transitions)).properties[key] = value
    if not words:
        assert petricheck.load(net, initial)
        return
    with pytest.raises(InputError, match=words):
        petricheck.load(net, initial)


def test_a_transition_of_weight_0_never_fires_and_is_refused(library: Any) -> None:
    net, initial, _ = example(library)
    transition = type("Stochastic", (library.PetriNet.Transition,), {"weight": 0.0})("s")
    net.transitions.add(transition)
    with pytest.raises(InputError, match="never fires"):
        petricheck.load(net, initial)


def test_parts_that_do_not_fit_together_are_refused(library: Any) -> None:
    net, initial, final = example(library)
    stranger = library.PetriNet.Place("p")
    for markings in (({stranger: 1}, final), (initial, {stranger: 1})):
        with pytest.raises(InputError, match="no place of the net"):
            petricheck.load(net, *markings)
    for tokens in (-1, 0.5):
        with pytest.raises(InputError, match="whole number, at least 0"):
            petricheck.load(net, library.Marking({next(iter(net.places)): tokens}))
    join(net, library.PetriNet.Arc(stranger, next(iter(net.transitions))))
    with pytest.raises(InputError, match=r"attached to .* no place of the net"):
        petricheck.load(net, initial)
    net, initial, _ = example(library)
    net.arcs.pop()
    with pytest.raises(InputError, match="the arcs of the net are not those of its transitions"):
        petricheck.load(net, initial)


def test_what_is_no_net_or_lacks_its_marking_is_refused(library: Any) -> None:
    net, initial, final = example(library)
    source: Any
    for source in (net, (net, None, final)):
        with pytest.raises(InputError, match="no initial marking of its own"):
            petricheck.ask(source, deadlock=True)
    for source in (1, None, (), (net,), (net, initial, final, 1), (initial, net)):
        with pytest.raises(InputError, match="this is no net but of type"):
            petricheck.ask(source, deadlock=True)
    for source, said in (
        ((net, 3), "the initial marking is of type int; give one marking"),
        ((net, initial, [final]), "the final marking is of type list; give one marking"),
    ):
        with pytest.raises(InputError, match=said):
            petricheck.load(source)
    with pytest.raises(InputError, match="this is no net but of type Net"):
        petricheck.load(NET, initial)


def test_what_pm4py_discovers_and_writes_is_read_alike(tmp_path: Any) -> None:
    pm4py = pytest.importorskip("pm4py")
    tree = pm4py.parse_process_tree("->('a', X('b', tau), +('c', 'd'))")
    triple = pm4py.convert_to_petri_net(tree)
    net, path = petricheck.load(triple), tmp_path / "net.pnml"
    pm4py.write_pnml(*triple, str(path))
    read = petricheck.load(path)
    assert {*read.places} == {*net.places}
    (final,), (own,) = read.finals, net.finals
    assert read.values(final) == net.values(own)
    assert {t.name: t.effect for t in net.transitions}.keys() == {*read.actions}
    sink = {place: tokens for place, tokens in net.values(own).items() if tokens}
    assert petricheck.check(petricheck.ask(triple, target=sink)).value is True
    assert petricheck.check(petricheck.ask(read, target=sink)).value is True

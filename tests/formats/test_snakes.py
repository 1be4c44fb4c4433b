from typing import Any

import pytest
from hypothesis import example, given, settings
from oracle import explore
from strategies import nets

import petricheck
from petricheck.formats.libraries import MAX_COPIES, from_snakes, to_snakes
from petricheck.model.net import Marking, Net, make_net
from petricheck.support.errors import InputError, PetricheckError

snakes = pytest.importorskip("snakes.nets")
LIMIT = 60


def by_snakes(net: Net) -> set[Marking]:
    """The reachable markings by the state graph of SNAKES."""
    converted = to_snakes(net)
    graph = snakes.StateGraph(converted)
    graph.build()
    markings = set()
    for state in graph:
        marking = graph[state]
        tokens = [marking(place) if place in marking else () for place in net.places]
        markings.add(tuple(sum(1 for _ in multiset) for multiset in tokens))
    return markings


@given(nets())
@example(make_net("much", {"p": 10**30}, {"t": ({"p": 7}, {})}))  # not counted one by one
def test_a_net_survives_the_way_to_snakes_and_back(net: Net) -> None:
    assert from_snakes(to_snakes(net)) == net


@settings(max_examples=20)
@given(nets(max_places=3, max_transitions=3))
def test_snakes_reaches_the_same_markings_as_firing_does(net: Net) -> None:
    reachable = explore(net, LIMIT)
    assert reachable is None or by_snakes(net) == reachable


@pytest.mark.parametrize(
    ("net", "words"),
    [
        (make_net("n", {"p": 0}, {"t": ({}, {"p": MAX_COPIES + 1})}), f"weight {MAX_COPIES + 1}"),
        (make_net("twins", {"x": 0}, {"x": ({}, {})}), "'x' is both"),
    ],
)
def test_what_snakes_cannot_hold_is_refused(net: Net, words: str) -> None:
    with pytest.raises(InputError, match=words):
        to_snakes(net)


def test_what_takes_nothing_fires_in_snakes() -> None:
    net = make_net("n", {"p": 0}, {"t": ({}, {"p": 1}), "all dots": ({"p": 2}, {})})
    converted = to_snakes(net)
    assert len(converted.transition("t").modes()) == 1
    assert converted.place("all dots'").tokens(snakes.dot) == 1
    assert from_snakes(converted) == net


def test_a_place_that_does_more_than_to_be_tested_for_one_token_stays() -> None:
    dot = snakes.Value(snakes.dot)
    for label in (dot, snakes.Test(snakes.MultiArc([dot, dot]))):
        net = snakes.PetriNet("n")
        net.add_place(snakes.Place("all dots", [snakes.dot]))
        net.add_transition(snakes.Transition("t"))
        net.add_input("all dots", "t", label)
        assert from_snakes(net).places == ("all dots",)
    with pytest.raises(InputError, match="labelled"):
        net = to_snakes(make_net("n", {}, {"t": ({}, {})}))
        net.remove_input("all dots", "t")
        net.add_input("all dots", "t", snakes.Test(snakes.Value(3)))
        from_snakes(net)


def black(**changes: Any) -> Any:
    """One place and one transition of SNAKES, joined by one arc, with something changed."""
    net = snakes.PetriNet("n")
    net.add_place(snakes.Place("p", changes.get("tokens", []), changes.get("check", snakes.tAll)))
    net.add_transition(snakes.Transition("t", changes.get("guard")))
    dot = snakes.Value(snakes.dot)
    net.add_input("p", "t", changes.get("label", dot))
    if "put" in changes:
        net.add_output("p", "t", changes["put"])
    return net


def test_a_net_of_snakes_that_was_built_by_hand_is_read() -> None:
    dot = snakes.Value(snakes.dot)
    nested = snakes.MultiArc([dot, snakes.MultiArc([dot, dot])])
    net = from_snakes(black(tokens=[snakes.dot] * 3, label=nested))
    assert net == make_net("n", {"p": 3}, {"t": ({"p": 3}, {})})


def test_variables_stand_for_black_tokens_and_what_is_tested_is_put_back() -> None:
    x = snakes.Variable("x")
    test = snakes.Test(snakes.MultiArc([x, snakes.Value(snakes.dot)]))
    net = from_snakes(black(label=test, put=x, check=snakes.OneOf(snakes.dot)))
    assert net == make_net("n", {"p": 0}, {"t": ({"p": 2}, {"p": 3})})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tokens": [1]}, "other tokens than dot"),
        ({"tokens": [snakes.dot, 1]}, "other tokens than dot"),
        ({"check": snakes.tInteger}, "only black tokens"),
        ({"guard": snakes.Expression("1 < 2")}, "has the guard '1 < 2'"),
        ({"label": snakes.Value(1)}, "labelled"),
        ({"label": snakes.Inhibitor(snakes.Value(snakes.dot))}, "labelled"),
        ({"label": snakes.Flush("x")}, "labelled"),
        ({"label": snakes.Tuple([snakes.Value(snakes.dot)])}, "labelled"),
        ({"label": snakes.MultiArc([snakes.Value(snakes.dot), snakes.Value(2)])}, "labelled"),
        ({"label": snakes.MultiArc([snakes.Test(snakes.Variable("x"))])}, "labelled"),
        ({"put": snakes.Variable("x")}, "no arc binds 'x'"),
        ({"put": snakes.Expression("dot")}, "no arc binds|labelled"),
    ],
)
def test_whatever_is_no_black_token_net_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        from_snakes(black(**changes))


def test_every_function_that_takes_a_net_takes_one_of_snakes() -> None:
    net = make_net("n", {"p": 3}, {"t": ({"p": 1}, {})})
    foreign = to_snakes(net)
    assert petricheck.load(foreign) == net
    question = petricheck.ask(foreign, bound="min: p")
    assert petricheck.check(question).value == 0
    assert [found.value for found in petricheck.check_all(foreign, [question])] == [0]
    with pytest.raises(InputError, match="this is no net"):
        petricheck.load(foreign, {})


def test_a_missing_snakes_is_told_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("petricheck.support.extras.import_module", missing)
    with pytest.raises(PetricheckError, match=r"pip install 'petricheck\[interop\]'"):
        to_snakes(make_net("n", {}, {}))

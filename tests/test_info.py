"""`petricheck info` and the survey of a net behind it."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from oracle import explore
from strategies import nets

from petricheck.cli import main
from petricheck.formats import read_net, write_net
from petricheck.presburger.algebra import rank
from petricheck.presburger.formulas import evaluate
from petricheck.presburger.text import to_text
from petricheck.problem import Net, make_net
from petricheck.survey import PlaceInvariant, semiflows, survey

NETS = Path(__file__).parent.parent / "nets"


def growth(net: Net, invariant: PlaceInvariant) -> list[int]:
    """y·δ for every transition."""
    y = dict(invariant.weights)
    return [sum(y.get(p, 0) * w for p, w in t.effect) for t in net.transitions]


def dense(net: Net, invariant: PlaceInvariant) -> list[int]:
    y = dict(invariant.weights)
    return [y.get(place, 0) for place in range(len(net.places))]


@given(nets())
def test_no_transition_changes_a_place_invariant(net: Net) -> None:
    found = survey(net)
    for invariant in (*found.semiflows, *found.others):
        assert not any(growth(net, invariant))
        assert evaluate(invariant.formula(net), net.values(net.initial))


@given(nets())
def test_the_invariants_span_all_invariants(net: Net) -> None:
    found = survey(net)
    effects = [[dict(t.effect).get(p, 0) for p in range(len(net.places))] for t in net.transitions]
    dimension = len(net.places) - rank(effects)
    assert rank([dense(net, y) for y in (*found.semiflows, *found.others)]) == dimension
    independent = len(found.others) + rank([dense(net, y) for y in found.semiflows])
    assert independent == dimension


@given(nets(max_places=3))
def test_every_small_invariant_without_negative_weight_contains_a_semiflow(net: Net) -> None:
    vectors, complete = semiflows(net)
    supports = [{place for place, _ in vector} for vector in vectors]
    assert complete
    for y in product(range(5), repeat=len(net.places)):
        weights = tuple((place, w) for place, w in enumerate(y) if w)
        if weights and not any(growth(net, PlaceInvariant(weights, 0))):
            assert any(support <= {place for place, _ in weights} for support in supports)


@given(nets())
def test_semiflows_are_positive_and_none_contains_another(net: Net) -> None:
    vectors, _ = semiflows(net)
    supports = [frozenset(place for place, _ in vector) for vector in vectors]
    assert all(weight > 0 for vector in vectors for _, weight in vector)
    assert not any(a < b or (a == b and i != j) for i, a in enumerate(supports)
                   for j, b in enumerate(supports))  # fmt: skip


@given(nets())
def test_no_reachable_marking_exceeds_a_bound(net: Net) -> None:
    found = survey(net)
    for marking in explore(net, 200) or ():
        assert all(marking[place] <= bound for place, bound in found.bounds.items())


def test_a_bound_is_the_best_of_several_semiflows() -> None:
    # p is in p + q = 5 and in 2·p + r = 4.
    net = make_net(
        "two", {"p": 0, "q": 5, "r": 4}, {"t": ({"q": 1, "r": 2}, {"p": 1})}
    )  # fmt: skip
    found = survey(net)
    assert found.bounds == {0: 2, 1: 5, 2: 4}


def test_the_invariant_of_figure_8_is_found_although_it_has_a_negative_weight() -> None:
    net = read_net(NETS / "fig8_U.pnml").net
    found = survey(net)
    assert found.semiflows == ()
    assert [to_text(y.formula(net)) for y in found.others] == ["p1 = p2"]
    assert found.sources == ("t1",)
    assert found.uncovered == ("p1", "p2")


def test_oddities_are_named() -> None:
    arcs = ({"p": 1}, {"q": 1})
    net = make_net(
        "odd",
        {"p": 1, "q": 0, "alone": 3},
        {"a": arcs, "b": arcs, "loop": ({"p": 1}, {"p": 1}), "make": ({}, {"q": 1})},
    )
    found = survey(net)
    assert found.isolated == ("alone",)
    assert found.idle == ("loop",)
    assert found.sources == ("make",)
    assert found.twins == (("a", "b"),)
    assert found.bounds == {2: 3}


def test_semiflows_found_before_the_work_ran_out_are_said_to_be_incomplete() -> None:
    net = read_net(NETS / "manufacturing_3_U.pnml").net
    every, complete = semiflows(net)
    some, partly = semiflows(net, work=800)
    assert complete
    assert not partly
    assert len(some) < len(every)
    assert set(some) <= set(every)


@pytest.mark.parametrize("initial", [{}, {"p": 0}], ids=["no place", "no transition"])
def test_trivial_nets_are_described(initial: dict[str, int]) -> None:
    found = survey(make_net("small", initial, {}))
    assert found.bounds == dict.fromkeys(range(len(initial)), 0)
    assert found.isolated == tuple(initial)


def test_info_tells_size_invariants_and_bounds() -> None:
    answer = CliRunner().invoke(main, ["info", str(NETS / "exponential_U.pnml")])
    assert answer.exit_code == 0
    first, *others = answer.output.splitlines()
    assert first == "net exponential: 5 places, 4 transitions, 13 arcs, 2 tokens"
    assert "  p1 + p4 = 1" in others
    assert "  p1 <= 1" in others
    assert "places that no invariant bounds: p2 p3 p5" in others


def test_info_as_json_holds_the_same() -> None:
    answer = CliRunner().invoke(main, ["info", str(NETS / "exponential_U.pnml"), "--json"])
    described = json.loads(answer.output)
    assert answer.exit_code == 0
    assert (described["places"], described["transitions"]) == (5, 4)
    assert described["invariants"] == [{"sum": {"p1": 1, "p4": 1}, "equals": 1}]
    assert described["bounds"] == {"p1": 1, "p4": 1}
    assert described["best_bounds"] is True


def test_info_shows_what_was_strange_in_the_file(tmp_path: Path) -> None:
    text = (NETS / "fig8_U.pnml").read_text()
    arc = next(line for line in text.splitlines() if "<arc" in line)
    again = arc.replace('id="', 'id="again_', 1)
    path = tmp_path / "parallel.pnml"
    path.write_text(text.replace(arc, f"{arc}\n{again}", 1))
    answer = CliRunner().invoke(main, ["info", str(path)])
    assert "summed parallel arcs" in answer.output


def test_info_abbreviates_long_lists(tmp_path: Path) -> None:
    path = tmp_path / "wide.pnml"
    write_net(make_net("wide", {f"p{n}": 1 for n in range(100)}, {}), path)
    answer = CliRunner().invoke(main, ["info", str(path)])
    assert "… and 60 more (--json lists them)" in answer.output
    assert len(json.loads(CliRunner().invoke(main, ["info", str(path), "--json"]).output)
               ["isolated"]) == 100  # fmt: skip


def test_numbers_of_any_length_are_described(tmp_path: Path) -> None:
    path = tmp_path / "rich.pnml"
    write_net(make_net("rich", {f"p{n}": 10**3999 for n in range(11)}, {}), path)
    for options in ([], ["--json"]):
        answer = CliRunner().invoke(main, ["info", str(path), *options])
        assert answer.exit_code == 0, answer.output

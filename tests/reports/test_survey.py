"""`petricheck info` and the survey of a net behind it: all that they say is so, by brute force."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import permutations, product
from pathlib import Path

import pytest
from budgets import Counted
from folders import NETS, SHARED
from hypothesis import HealthCheck, given, settings
from invoked import run
from notation import net_of
from strategies import nets

from petricheck.formats.nets import read_net, write_net
from petricheck.model.net import Net, make_net
from petricheck.reports.survey import PARTS, Survey, explored, surveys
from petricheck.reports.survey.siphons import classes, minimal_siphons
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.facts.basis import independent, invariant_basis
from petricheck.symbolic.facts.place_bounds import PlaceBounds, by_programs
from petricheck.symbolic.facts.semiflows import minimal_semiflows
from petricheck.symbolic.linear import Hyperplane

MODELS = SHARED / "mcc"

slow = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def survey(net: Net) -> Survey:
    *_, complete = surveys(net, Budget())
    return complete


def growth(net: Net, invariant: Hyperplane) -> list[int]:
    """y·δ for every transition."""
    y = dict(invariant.direction)
    return [sum(y.get(p, 0) * w for p, w in t.effect) for t in net.transitions]


@slow
@given(nets(max_places=3))
def test_semiflows_are_positive_and_minimal_and_one_is_in_every_small_invariant(net: Net) -> None:
    vectors, complete = minimal_semiflows(net)
    assert complete
    assert all(weight > 0 for vector in vectors for _, weight in vector)
    supports = [{place for place, _ in vector} for vector in vectors]
    assert not any(a <= b for a, b in permutations(supports, 2))
    for y in product(range(5), repeat=len(net.places)):
        weights = tuple((place, w) for place, w in enumerate(y) if w)
        if weights and not any(growth(net, Hyperplane(weights, 0))):
            assert any(support <= {place for place, _ in weights} for support in supports)


@pytest.mark.parametrize(
    ("net", "bounds"),
    [
        # 2·p + q is at most 5: t keeps it, and lose shrinks it; no place invariant covers them.
        (
            make_net("leak", {"p": 2, "q": 1}, {"t": ({"p": 1}, {"q": 2}), "lose": ({"q": 1}, {})}),
            {"p": 2, "q": 5},
        ),
        # p is in p + q = 5 and in 2·p + r = 4.
        (
            make_net("two", {"p": 0, "q": 5, "r": 4}, {"t": ({"q": 1, "r": 2}, {"p": 1})}),
            {"p": 2, "q": 5, "r": 4},
        ),
        (make_net("no place", {}, {}), {}),
        (make_net("no transition", {"p": 0}, {}), {"p": 0}),
    ],
    ids=lambda value: value.name if isinstance(value, Net) else "",
)
def test_bounds_are_the_best_of_all_sums(net: Net, bounds: dict[str, int]) -> None:
    assert survey(net).bounds == bounds


def test_places_are_bounded_by_exploration_where_no_sum_bounds_them() -> None:
    # t would make more and more fuel, but `seal` is never marked.
    net = net_of("fuel=1 seal=0, t: fuel + seal -> 3 fuel + seal")
    found = survey(net)
    assert found.bounds == found.reached == {"fuel": 1, "seal": 0}
    assert (found.bounded, found.safe) == (True, True)
    assert (found.never_marked, found.dead) == (("seal",), ("t",))


def test_an_exploration_that_is_given_up_bounds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petricheck.reports.survey.explored", partial(explored, work=0))
    found = survey(read_net(NETS / "exponential_U.pnml").net)
    assert (found.bounded, found.safe) == (None, None)
    assert found.no_bound_found == ("p2", "p3", "p5")


def test_a_bound_that_is_not_known_to_be_reached_leaves_open_whether_the_net_is_safe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    net = make_net("two", {"p": 1, "q": 1}, {"t": ({"p": 1, "q": 1}, {"p": 2})})
    assert survey(net).safe is False
    monkeypatch.setattr("petricheck.reports.survey.explored", partial(explored, work=-1))
    found = survey(net)
    assert (found.bounded, found.safe, found.doubtful) == (True, None, ("p", "q"))
    path = tmp_path / "two.pnml"
    write_net(net, path)
    lines = run("info", path).output.splitlines()
    assert "safe: not known, p might hold more than one token" in lines
    assert "  at most 2: p q" in lines


def test_classes_are_told_apart() -> None:
    def named(**transitions: tuple[dict[str, int], dict[str, int]]) -> tuple[str, ...]:
        return classes(make_net("net", {"p": 1, "q": 0, "r": 0}, transitions))

    one, two, three = {"p": 1}, {"q": 1}, {"r": 1}
    ring = named(a=(one, two), b=(two, three), c=(three, one))
    choice = ("free choice", "extended free choice", "asymmetric choice")
    assert ring == ("ordinary", "state machine", "marked graph", *choice, "pure", "conservative")
    assert named(a=(one, two), b=(one, three)) == (
        "ordinary", "state machine", *choice, "pure", "conservative"
    )  # fmt: skip
    both = one | two
    assert named(a=(both, three), b=(both, {})) == ("ordinary", *choice[1:], "pure")
    assert named(a=(both, three), b=(one, three)) == ("ordinary", *choice[2:], "pure")
    assert named(a=(both, one), b=(one, two), c=(two, three)) == ("ordinary",)
    assert named(a=({"p": 2}, two | three)) == ("weighted", "pure", "conservative")


def test_minimal_siphons_found_before_the_work_ran_out_are_said_to_be_incomplete() -> None:
    net = read_net(NETS / "manufacturing_10_R.pnml").net
    (every, complete), (some, partly) = minimal_siphons(net), minimal_siphons(net, work=2_000)
    assert complete and not partly
    assert set() < set(some) < set(every)


def test_places_behind_sources_are_unbounded_as_far_as_they_can_be_filled_together() -> None:
    net = net_of(
        "a=0 b=0 key=1 c=0 d=0, make: -> a, move: 3 a -> b, open: b + key -> 2 c + key, "
        "once: c + key -> d"
    )
    found = survey(net)
    assert found.unbounded == ("a", "b", "c")
    assert found.bounds == {"key": 1, "d": 1}


def test_a_basis_is_given_up_beyond_the_work() -> None:
    net = read_net(NETS / "manufacturing_3_U.pnml").net
    every = invariant_basis(net)
    assert every is not None
    assert invariant_basis(net, work=100) is None
    assert independent((), every, len(every)) == every
    assert independent((), every, len(every), work=0) is None


def test_info_says_what_was_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    net = str(NETS / "manufacturing_3_U.pnml")

    def lines() -> list[str]:
        return run("info", net).output.splitlines()

    assert not any("not computed" in line for line in lines())
    monkeypatch.setattr(
        "petricheck.reports.survey.minimal_semiflows",
        lambda net, budget: minimal_semiflows(net, 200, budget),
    )
    combinations = "other place invariants, linear combinations of these, were not computed"
    assert combinations in lines()
    monkeypatch.setattr("petricheck.reports.survey.invariant_basis", lambda net, budget: None)
    unknown = "not computed: a basis of all takes too many steps"
    assert f"other place invariants were {unknown}" in lines()
    monkeypatch.setattr(
        "petricheck.reports.survey.minimal_semiflows", lambda net, budget: ((), False)
    )
    assert f"place invariants: {unknown}" in lines()


@pytest.mark.slow
@pytest.mark.skipif(not MODELS.is_dir(), reason="the contest's models are not here")
@pytest.mark.parametrize(
    ("model", "dimension"), [("ASLink-PT-01a", 80), ("PermAdmissibility-PT-05", 32)]
)
def test_large_nets_have_a_basis_and_bounds(model: str, dimension: int) -> None:
    net = read_net(MODELS / model / "model.pnml").net
    found = survey(net)
    invariants = found.invariants or ()
    vectors = [invariant.direction for invariant in invariants]
    assert len(independent((), vectors, len(vectors)) or ()) == dimension
    assert all(not any(growth(net, invariant)) for invariant in invariants)
    assert len(found.bounds or ()) == len(net.places)


def test_semiflows_found_before_the_work_ran_out_are_said_to_be_incomplete() -> None:
    net = read_net(NETS / "manufacturing_3_U.pnml").net
    every, complete = minimal_semiflows(net)
    some, partly = minimal_semiflows(net, work=200)
    assert complete
    assert not partly
    assert len(some) < len(every)
    assert set(some) <= set(every)


def test_info_shows_what_was_strange_in_the_file(tmp_path: Path) -> None:
    text = (NETS / "fig8_U.pnml").read_text()
    arc = next(line for line in text.splitlines() if "<arc" in line)
    again = arc.replace('id="', 'id="again_', 1)
    path = tmp_path / "parallel.pnml"
    path.write_text(text.replace(arc, f"{arc}\n{again}", 1))
    answer = run("info", path)
    assert "summed parallel arcs" in answer.output


def test_info_abbreviates_long_lists(tmp_path: Path) -> None:
    path = tmp_path / "wide.pnml"
    write_net(make_net("wide", {f"p{n}": 1 for n in range(100)}, {}), path)
    answer = run("info", path)
    assert "… (80 more: --json lists all)" in answer.output
    assert "isolated places (100): p0 p1 " in answer.output
    assert len(json.loads(run("info", path, "--json").output)
               ["isolated"]) == 100  # fmt: skip


def test_numbers_of_any_length_are_described(tmp_path: Path) -> None:
    path = tmp_path / "rich.pnml"
    write_net(make_net("rich", {f"p{n}": 10**3999 for n in range(11)}, {}), path)
    for options in ([], ["--json"]):
        answer = run("info", path, *options)
        assert answer.exit_code == 0, answer.output


def test_a_survey_has_one_part_more_each_time_and_ends_complete() -> None:
    net = read_net(NETS / "fms_U.pnml").net
    stages = list(surveys(net, Budget()))
    assert [stage.missing for stage in stages] == [PARTS[n:] for n in range(len(PARTS) + 1)]
    assert stages[-1] == survey(net)
    assert stages[0] == Survey(net)


@pytest.mark.parametrize("parts", range(len(PARTS)))
def test_what_is_not_computed_is_neither_told_as_none_nor_listed_as_empty(
    parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(NETS / "exponential_U.pnml")
    whole = json.loads(run("info", path, "--json").output)
    described = list(surveys(read_net(path).net, Budget()))[parts]
    missing = list(described.missing)

    def cut_off(net: Net, budget: Budget) -> Iterator[Survey]:
        yield described
        raise Budget(3.0).overrun

    monkeypatch.setattr("petricheck.reports.survey.surveys", cut_off)
    answer = run("info", path)
    assert (answer.exit_code, answer.stderr) == (
        1,
        "petricheck: the time limit of 3 s is reached\n",
    )
    lines = answer.stdout.splitlines()
    assert f"not computed: {', '.join(missing)}" in lines
    assert ("transition invariants: none" in lines) == ("transition invariants" not in missing)
    assert ("minimal siphons (2):" in lines) == ("minimal siphons" not in missing)
    told = json.loads(run("info", path, "--json").stdout)
    assert told.pop("not_computed") == missing
    assert (told.pop("ending"), told.pop("reason")) == ("time", "the time limit of 3 s is reached")
    assert all(told[key] in (None, whole[key]) for key in told)
    for part, keys in KEYS.items():
        assert all((told[key] is None) == (part in missing) for key in keys)


KEYS = {
    "structure": ("arcs", "tokens", "classes", "never_marked", "dead", "isolated", "sources",
                  "idle", "twins"),
    "exploration": ("reached", "unbounded"),
    "place invariants": ("invariants", "all_invariants", "all_semiflows"),
    "bounds": ("bounds", "no_bound_found"),
    "transition invariants": ("transition_invariants", "all_transition_invariants"),
    "minimal siphons": ("siphons", "all_siphons"),
    "minimal traps": ("traps", "all_traps"),
}  # fmt: skip


@pytest.mark.parametrize("checks", [1, 7, 40])
def test_what_a_survey_had_before_its_budget_ended_stands(checks: int) -> None:
    stages: list[Survey] = []
    net = read_net(NETS / "manufacturing_3_U.pnml").net
    with pytest.raises(BudgetExhausted):
        stages.extend(surveys(net, Counted(most=checks)))
    complete = list(surveys(net, Budget()))
    assert stages == complete[: len(stages)] != []


def test_every_part_of_a_survey_looks_at_its_budget() -> None:
    ring = {f"t{n}": ({f"p{n}": 1}, {f"p{(n + 1) % 40}": 1}) for n in range(40)}
    net = make_net("ring", {f"p{n}": int(n == 0) for n in range(40)}, ring)
    for computing in (
        lambda budget: minimal_semiflows(net, budget=budget),
        lambda budget: invariant_basis(net, budget=budget),
        lambda budget: explored(net, budget=budget),
        lambda budget: minimal_siphons(net, budget=budget),
        lambda budget: list(by_programs(PlaceBounds(net, dict.fromkeys(range(40), 1)), budget)),
    ):
        with pytest.raises(BudgetExhausted):
            computing(Counted(most=0))


def test_info_says_what_complement_places_hold_and_no_place_invariant_twice(tmp_path: Path) -> None:
    text = "pl p (2)\npl q\ntr t p q?-3 -> q\ntr u q p?-3 -> p\n"
    (path := tmp_path / "guarded.net").write_text(text)
    lines = run("info", str(path)).stdout.splitlines()
    assert lines.count("  p + q = 2") == 1
    assert "  p + p_complement = 3" in lines

"""What every engine keeps: no verdict against brute force, and the edges of what may be asked."""

from __future__ import annotations

import pytest
from folders import NETS, problem_named
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import EXACT, net_of
from oracle import known_verdict
from questions import problem as ask
from strategies import problems

from petricheck.evidence.answer import Answer, Reachable, Trace, Unknown, Unreachable
from petricheck.model.net import make_net
from petricheck.model.problem import Problem
from petricheck.questions import check
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError

ENGINES = tuple(plugins.all_members("engines"))
SEARCHES = {"bmc", "directed_search", "few_markings", "random_walk"}
PROVERS = sorted({*ENGINES} - SEARCHES)
REACHING = sorted({*ENGINES} - {"place_invariants", "state_equation"})

VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "bmc": {"length": ("3",)},
    "directed_search": {"nodes": ("300",)},
    "imc": {"interpolants": ("prover",)},
    "impact": {
        "guide": ("optimal", "optimal", "none"),
        "forced": ("0", "1", "4"),
        "language": ("-1", "0"),
        "control": ("0", "2"),
    },
    "k_induction": {"length": ("3",), "words": ("100",)},
    "random_walk": {"steps": ("300",)},
}
"""By engine what options are tried with which values, beside those that list their choices."""


def values_of(engine: str) -> dict[str, tuple[str, ...]]:
    declared = plugins.options(plugins.member("engines", engine))
    choices = {option.name: option.choices for option in declared if option.choices}
    either = {o.name: ("true", "false") for o in declared if isinstance(o.default, bool)}
    return choices | either | VALUES.get(engine, {})


@st.composite
def options(draw: st.DrawFn, engine: str) -> dict[str, str]:
    return {name: draw(st.sampled_from(values)) for name, values in values_of(engine).items()}


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(problem=problems(), data=st.data())
def test_no_verdict_disagrees_with_brute_force(engine, problem, data):
    chosen = data.draw(options(engine))
    result = check(problem, engine=engine, options=chosen, budget=Budget(0.1))
    verdict = type(result.answer).__name__.lower()
    assert verdict == "unknown" or known_verdict(problem, 300) in (verdict, None)


def answer(engine: str, problem: Problem) -> Answer:
    chosen = {name: values[0] for name, values in VALUES.get(engine, {}).items()}
    return check(problem, engine=engine, options=chosen, budget=Budget(20)).answer


@pytest.mark.parametrize("engine", REACHING)
def test_a_target_that_holds_initially_is_reached_by_the_empty_trace(engine):
    net = net_of("p=1 q=0, t: p -> q, u: q -> p")
    for formula in ("p >= 1", "true"):
        reached = answer(engine, ask(net, formula=formula))
        assert isinstance(reached, Reachable) and reached.trace == Trace(())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("net", ["p=1", "p=1, t: ->"], ids=["no transitions", "no arcs"])
def test_a_net_in_which_nothing_moves_stays_where_it_is(engine, net):
    missed = answer(engine, ask(net_of(net), cover="p=2"))
    assert isinstance(missed, Unreachable if engine in PROVERS else Unknown)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("loop", [{}, {"t": ({}, {})}], ids=["", "with a transition"])
def test_a_net_without_places_is_decided(engine, loop):
    net = make_net("empty", {}, loop)
    reached, missed = (answer(engine, ask(net, formula=word)) for word in ("true", "false"))
    assert isinstance(reached, Reachable if engine in REACHING else Unknown)
    assert isinstance(missed, Unreachable if engine in PROVERS else Unknown)


BEYOND_INVARIANTS = "l6000_U long_3_U pingpong_U multipool_U"


@pytest.mark.parametrize(
    ("engine", "names", "audited"),
    [
        ("cegar:guide=abstract", "fig8_U basic_me_U", ""),
        ("cegar:guide=lattice,heuristics=place_invariants", "kanban_U mesh2x2_U fms_U ifip_U", ""),
        ("imc", BEYOND_INVARIANTS, EXACT),
        ("impact", "fig8_U exponential_U_lower ifip_U long_1_U l6000_U parity_U", EXACT),
        ("impact:entailment=solver", "pingpong_U", ""),
        ("impact:interpolants=prover", "finkel_km_U parity_U", ""),
        ("impact:language=0", "fig8_U pingpong_U", ""),
        ("k_induction", "fms_U exponential_U", EXACT),
        ("predicate_abstraction", BEYOND_INVARIANTS, EXACT),
        ("transition_approximation", "l6000_U pingpong_U finkel_km_U exponential_U", EXACT),
    ],
)
def test_known_questions_are_proved(engine, names, audited):
    """An engine, with options; the questions; and how their proofs are checked."""
    for name in names.split():
        result = check(problem_named(name), engine=engine, budget=Budget(60))
        assert isinstance(result.answer, Unreachable), name
        assert audited in result.audit and result.audit, name


@pytest.mark.parametrize(
    ("engine", "names"),
    [
        ("bmc:length=25", " ".join(sorted(path.stem for path in NETS.glob("*_R.json")))),
        ("cegar", "finkel_km_R"),
        ("k_induction", "kanban_R"),
    ],
)
def test_known_traces_are_found(engine, names):
    for name in names.split():
        answer = check(problem_named(name), engine=engine, budget=Budget(30)).answer
        assert isinstance(answer, Reachable), name


@pytest.mark.parametrize("engine", ["predicate_abstraction", "transition_approximation"])
def test_a_proof_of_too_many_cubes_is_no_answer(engine):
    ring = net_of("p=2 q=0 r=0, pq: p -> q, qr: q -> r, rp: r -> p")
    problem = ask(ring, formula="p = 1 and q = 1 and r = 1")
    assert isinstance(check(problem, engine=engine).answer, Unreachable)
    refused = check(problem, engine=engine, options={"states": "0"}).answer
    assert isinstance(refused, Unknown) and "too large" in refused.reason


@pytest.mark.parametrize(
    ("engine", "names"),
    [
        ("bmc", "block"),
        ("cegar", "guide heuristics"),
        ("directed_search", "strategy"),
        ("imc", "block derivation lemmas interpolants"),
        ("impact", "guide heuristics strategy entailment interpolants"),
        ("predicate_abstraction", "guide heuristics"),
        ("transition_approximation", "relation image refinement heuristics guide"),
    ],
)
def test_values_that_options_do_not_have_are_refused(engine, names):
    for option in names.split():
        with pytest.raises(QueryError, match="sideways"):
            check(ask(net_of("p=1"), cover="p=2"), engine=engine, options={option: "sideways"})


@pytest.mark.parametrize(
    ("engine", "chosen"),
    [
        ("cegar", {}),
        ("directed_search", {"nodes": "3000"}),
        ("random_walk", {"steps": "3000"}),
        ("state_equation", {}),
    ],
)
def test_progress_is_reported_in_lines(engine, chosen):
    lines: list[str] = []
    budget = Budget(20, watch=lambda event: lines.append(event.text))
    check(problem_named("exponential_U"), engine=engine, options=chosen, budget=budget)
    assert lines and not any("\n" in line for line in lines)

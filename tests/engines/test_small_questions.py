"""The engines for small questions: place invariants, and few markings."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from notation import EXACT, net_of
from oracle import explore, shortest_trace
from questions import problem as ask
from strategies import problems

from petricheck.arithmetic.formulas.text import to_text
from petricheck.engines.few_markings import FewMarkings
from petricheck.engines.place_invariants import PlaceInvariants
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.model.net import make_net
from petricheck.support.budget import Budget

RING = "p=1 q=0 r=0, t: p -> q, u: q -> r, v: r -> p"
"""p + q + r = 1."""

MIXED = "p=3 q=1, t: -> p + q, u: p + q ->"
"""p − q = 2, the only invariant, up to a factor."""

WEIGHTED = "p=2 q=0 r=5, t: p -> 2 q, u: 2 q -> p"
"""2 p + q = 4 and r = 5."""


@pytest.mark.parametrize(
    ("net", "formula", "invariant"),
    [
        (RING, "p >= 1 and q >= 1", "p + q + r = 1"),
        (RING, "p >= 1 and q >= 1 or p = 0 and q = 0 and r <= 0", "p + q + r = 1"),
        (MIXED, "p <= 2 and q >= 1", "p = q + 2"),
        (MIXED, "p = 9 and q = 6", "p = q + 2"),
        (MIXED, "p = 6 and q = 9", "p = q + 2"),
        (WEIGHTED, "p >= 2 and q >= 1", "2*p + q = 4"),
        (WEIGHTED, "p <= 1 and q <= 1", "2*p + q = 4"),
        (WEIGHTED, "p + q >= 100 and r <= 4", "r = 5"),
    ],
)
def test_a_cube_is_refuted_by_one_invariant(net: str, formula: str, invariant: str) -> None:
    problem = ask(net_of(net), formula=formula)
    answer = PlaceInvariants().solve(problem, Budget())
    assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
    assert audit(problem, answer) == EXACT
    assert to_text(answer.certificate.invariant) == invariant


@pytest.mark.parametrize(
    ("net", "formula"),
    [
        (RING, "p >= 1"),
        (RING, "p + q >= 2"),  # a sum of places, which the bounds do not speak of
        (MIXED, "p >= 9"),
        (MIXED, "q >= 9 and p <= 11"),
        (WEIGHTED, "q = 1"),  # a residue
    ],
)
def test_what_no_invariant_refutes_within_bounds_of_places_is_open(net: str, formula: str) -> None:
    answer = PlaceInvariants().solve(ask(net_of(net), formula=formula), Budget())
    assert isinstance(answer, Unknown)


@settings(max_examples=20)
@given(problem=problems())
def test_what_it_refutes_is_unreachable_and_audited_exactly(problem) -> None:
    answer = PlaceInvariants().solve(problem, Budget())
    if isinstance(answer, Unreachable):
        assert shortest_trace(problem, 200) is None
        assert audit(problem, answer) == EXACT


@settings(max_examples=20)
@given(problem=problems())
def test_a_trace_among_few_markings_is_shortest(problem) -> None:
    answer, shortest = (
        FewMarkings(markings=50).solve(problem, Budget()),
        shortest_trace(problem, 50),
    )
    if isinstance(answer, Reachable):
        audit(problem, answer)
        assert shortest is None or answer.trace.length == len(shortest)
    else:
        assert shortest is None or explore(problem.net, 50) is None


def test_a_large_net_is_left_to_other_engines() -> None:
    places = {f"p{number}": 1 for number in range(2_000)}
    problem = ask(make_net("large", places, {"t": ({"p0": 1}, {})}), formula="p0 = 0")
    assert FewMarkings().unfit(problem)


@pytest.mark.parametrize("question", ["--cover p1=2", "--cover p4=1", "--deadlock"])
def test_small_questions_load_no_numpy_no_solver_and_no_other_kind(question: str) -> None:
    """Importing these takes longer than all that is done; here no engine has a limit on time."""
    script = f"""
import sys
from petricheck.commands import main
try:
    sweep = "-o sweep=place_invariants,few_markings"
    main(f"nets/basic_me_U.pnml {question} {{sweep}}".split())
except SystemExit:
    print(sorted({{"numpy", "highspy", "z3", "numba"}} & {{*sys.modules}}))
    print([m for m in sys.modules if m.startswith("petricheck.questions.kinds.") and "._" not in m])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    own = f"petricheck.questions.kinds.{question.split()[0].removeprefix('--')}"
    assert done.stdout.splitlines()[-2:] == ["[]", str([own])]

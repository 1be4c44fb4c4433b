"""Origins: which heuristic suggested a direction of the invariant."""

from __future__ import annotations

from pathlib import Path

import pytest
from evidence_files import read_evidence, write_evidence
from folders import NETS
from forms import bounded, vector
from notation import net_of
from questions import problem as ask

from petricheck.arithmetic.formulas.formulas import atoms
from petricheck.engines.abstraction.refine import Spurious
from petricheck.engines.cegar import GIVEN, PATH, SHARED, learnt, starting
from petricheck.engines.heuristics import Displacement
from petricheck.engines.reductions import reduce
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.invariant import Certificate, DirectionOrigin
from petricheck.formats.nets import read_net
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import HalfSpace, ModularDirection


def spurious(*predicates: HalfSpace | ModularDirection) -> Spurious:
    """A refinement of a net of three places, where p keeps p0 + p1 and a keeps p2 from growing."""
    displacements = (
        Displacement(((0, 1), (1, -1)), 1, False, "p"),
        Displacement(((2, 1),), 1, False, "a"),
    )
    return Spurious(predicates, (), None, frozenset(), displacements)


@pytest.mark.parametrize(
    ("direction", "suggested"),
    [
        ((1, 1, 0), ("p",)),
        ((0, 1, 0), ("p",)),
        ((1, 0, 0), (PATH,)),
        ((0, 0, -1), ("a",)),
        ((1, 1, -1), ("a", "p")),
        ((0, 1, 1), ("p",)),
        ((1, 0, 1), (PATH,)),
    ],
)
def test_a_heuristic_suggests_the_directions_that_grow_along_nothing_it_names(
    direction: tuple[int, ...], suggested: tuple[str, ...]
) -> None:
    assert learnt({}, spurious(bounded(direction, 3))) == {vector(direction): suggested}


def test_the_first_to_suggest_a_direction_is_told() -> None:
    before = starting((bounded((1, 1, 0), 5),), (bounded((1, 1, 0), 4), bounded((0, 0, 1), 4)))
    after = learnt(before, spurious(bounded((1, 1, 0), 3)))
    assert after == {vector((1, 1, 0)): (GIVEN,), vector((0, 0, 1)): (SHARED,)}


def test_evidence_tells_origins_and_reads_them_back(tmp_path: Path) -> None:
    file = read_net(NETS / "fms_U.pnml")
    problem = ask(file.net, cover="p12=2")
    answer = check(problem, engine="cegar").answer
    assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
    used = {atom.term.coefficients for atom in atoms(answer.certificate.invariant)}
    assert answer.certificate.origins == (
        DirectionOrigin((("p12", 1), ("p13", 1)), ("place_invariants",)),
    )
    assert all(origin.direction in used for origin in answer.certificate.origins)
    path = str(tmp_path / "e.json")
    write_evidence(path, file.sha256, problem, answer)
    read = read_evidence(path).answer
    assert isinstance(read, Unreachable) and read.certificate == answer.certificate
    assert audit(problem, read)


def test_origins_survive_reductions() -> None:
    """The place i is filled by f alone and emptied by h alone, so both vanish with it."""
    net = net_of("a=1 i=0 b=0 c=1, f: a -> i, h: i -> b, t: b + c -> a + c")
    problem = ask(net, formula="a + b >= 2")
    reduced = reduce(problem, Budget())
    assert len(reduced.problem.net.places) < len(net.places)
    answer = check(reduced.problem, engine="cegar").answer
    lifted = reduced.lift(answer)
    assert isinstance(lifted, Unreachable) and isinstance(lifted.certificate, Certificate)
    assert audit(problem, lifted)
    used = {atom.term.coefficients for atom in atoms(lifted.certificate.invariant)}
    assert lifted.certificate.origins
    assert all(origin.direction in used for origin in lifted.certificate.origins)

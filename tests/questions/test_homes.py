"""Home spaces: what is concluded is true, and false proofs are refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from evidence_files import several
from folders import NETS
from home_spaces import (
    FALSE_CLAIMS,
    FORK,
    TRUE_CLAIMS,
    is_home,
    p,
    reachable_from,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from invoked import run
from invoked import settled as ended
from strategies import nets, targets

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    at_most,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.tables import ranks, rows
from petricheck.evidence.claims import Home
from petricheck.evidence.files.json import Json
from petricheck.explicit.kernel.arrays import integers
from petricheck.explicit.kernel.packing import fields_of, pack, ranked_certificate
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import Net, make_net
from petricheck.model.parametric import with_initial
from petricheck.questions import Setting, Study, ask, check, read_question
from petricheck.questions.homes import explored, home_spaces
from petricheck.questions.homes.search import decide_homes
from petricheck.questions.question import Question
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError

few = settings(max_examples=40, deadline=None)


@st.composite
def asked(draw: st.DrawFn) -> tuple[Net, list[Formula], list[bool]]:
    """A bounded net, different formulas, and whether they are home spaces."""
    net = draw(nets())
    behind = reachable_from(net)
    assume(behind is not None)
    formulas = draw(st.lists(targets(net), min_size=1, max_size=4, unique=True))
    return net, formulas, [is_home(net, f, behind or {}) for f in formulas]


@few
@given(asked())
def test_a_formula_is_told_a_home_space_where_brute_force_finds_it_one(
    case: tuple[Net, list[Formula], list[bool]],
) -> None:
    net, formulas, homes = case
    found = check(Question(net, "home", "", formulas[0]), budget=Budget(20))
    assert found.value == homes[0]


@few
@given(nets())
def test_a_net_is_told_reversible_where_brute_force_finds_it_so(net: Net) -> None:
    behind = reachable_from(net)
    assume(behind is not None)
    back = all(net.initial in reached for reached in (behind or {}).values())
    assert check(ask(net, reversible=True), budget=Budget(20)).value == back


@few
@given(asked())
def test_of_several_formulas_each_is_told_as_brute_force_finds_it(
    case: tuple[Net, list[Formula], list[bool]],
) -> None:
    net, formulas, homes = case
    study = Study(net, Setting(), Budget(20))
    decide_homes(study, formulas)
    known = home_spaces(formulas, study.claims)
    assert [n in known.homes for n in range(len(formulas))] == homes
    assert [n in known.lost for n in range(len(formulas))] == [not home for home in homes]


@few
@given(asked())
def test_explored_claims_pass_the_audit_and_settle_all(
    case: tuple[Net, list[Formula], list[bool]],
) -> None:
    net, formulas, homes = case
    claims = list(explored.home_claims(net, formulas, Budget(20)))
    for claim in claims:
        prove(net, claim)
    known = home_spaces(formulas, claims)
    assert (len(known.homes), len(known.lost)) == (sum(homes), len(homes) - sum(homes))


# False proofs


@pytest.mark.parametrize("name", TRUE_CLAIMS)
def test_a_claim_that_holds_is_proved(name: str) -> None:
    prove(FORK, TRUE_CLAIMS[name])


@pytest.mark.parametrize("name", FALSE_CLAIMS)
def test_a_claim_whose_proof_is_none_is_refused(name: str) -> None:
    claim, reason = FALSE_CLAIMS[name]
    with pytest.raises(EvidenceError, match=reason):
        prove(FORK, claim)


def test_every_row_of_every_block_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "BLOCK", 3)
    monkeypatch.setattr(rows, "BLOCK", 3)
    monkeypatch.setattr(rows, "FEWEST", 3)
    count = 8
    chain = make_net("chain", {"p": count - 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
    bits = (("p", 3), ("q", 3))
    tokens = np.arange(count)
    words = pack(fields_of(bits), count, [tokens, count - 1 - tokens])
    actions = np.zeros(count, dtype=np.uint32)

    def proved(numbers: Sequence[int], formula: Formula) -> bool:
        table = ranked_certificate(bits, words, integers(numbers), actions, ("t",))
        try:
            prove(chain, Home((formula,), table))
        except EvidenceError:
            return False
        return True

    distances = range(count)
    assert proved(distances, equal(p, 0))
    for row in range(1, count):
        assert not proved([n - (n >= row) for n in distances], equal(p, 0))
        lowest = [max(0, n - row) for n in distances]
        assert proved(lowest, at_most(p, row))
        for inner in range(row + 1):
            assert not proved(lowest, disjunction((at_most(p, inner - 1), at_least(p, inner + 1))))


@few
@given(asked())
def test_claims_are_the_same_when_they_are_read_from_files(
    case: tuple[Net, list[Formula], list[bool]],
) -> None:
    net, formulas, _ = case
    claims = tuple(explored.home_claims(net, formulas, Budget(20)))
    read = Json().read(Json().write(net, several(net, "reversible", "", claims)))
    assert read.claims == claims


def test_traces_and_certificates_are_shown_and_verified(tmp_path: Path) -> None:
    file, evidence = tmp_path / "fork.pnml", tmp_path / "e.json"
    file.write_bytes(Pnml().write(FORK))
    told = ended(run(file, "--reversible", "--evidence", evidence)).output
    assert told.startswith("not reversible\n") and "leave" in told
    assert ended(run("verify", file, evidence)).output.startswith("accepted: not reversible\n")
    told = ended(run(file, "--home", "p = 0 and q = 0", "--evidence", evidence)).output
    assert told.startswith("home space\n")
    assert "accepted: home space\n" in ended(run("verify", file, evidence, "--explain")).output
    assert ended(run(file, "--home", "q = 1", "--json")).output.count("ExcludedAfter") == 0


def test_a_home_space_needs_words_and_reversibility_has_none(tmp_path: Path) -> None:
    mutex = NETS / "basic_me_U.pnml"
    assert "the formula is empty" in ended(run(mutex, "--home", " "), 2).output
    assert "expected a" in ended(run(mutex, "--home", "p1 ="), 2).output
    with pytest.raises(QueryError, match="takes no text"):
        read_question(FORK, "reversible", "p = 1")


def test_what_added_transitions_lead_to_is_not_asked() -> None:
    parametric = with_initial(FORK, at_least(variable(FORK.places[0]), 1))
    for kind, text in (("home", "p = 1"), ("reversible", "")):
        with pytest.raises(QueryError, match="parametric"):
            read_question(parametric, kind, text)

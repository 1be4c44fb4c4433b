"""Home spaces: what is concluded is true, and false proofs are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from evidence_files import several
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from invoked import run
from invoked import settled as ended
from oracle import explore, successor
from strategies import nets, targets

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.tables import ranks, rows
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import Claim, ExcludedAfter, Home
from petricheck.evidence.files.json import Json
from petricheck.explicit.kernel.arrays import integers
from petricheck.explicit.kernel.packing import fields_of, pack, ranked_certificate
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import Marking, Net, make_net
from petricheck.questions import Setting, Study, ask, check, read_question
from petricheck.questions.homes import explored, home_spaces
from petricheck.questions.homes.search import decide_homes
from petricheck.questions.question import Question
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError

NETS = Path(__file__).parent.parent / "nets"

p, q, r = (variable(name) for name in "pqr")

FORK = make_net(
    "fork",
    {"p": 1, "q": 0, "r": 0},
    {
        "go": ({"p": 1}, {"q": 1}),
        "back": ({"q": 1}, {"p": 1}),
        "leave": ({"p": 1}, {"r": 1}),
    },
)
"""A token between p and q, until it leaves for r."""

few = settings(max_examples=40, deadline=None)


def reachable_from(net: Net) -> dict[Marking, set[Marking]] | None:
    """By reachable marking those that can be reached from it; None where there are many."""
    markings = explore(net, 60)
    if markings is None:
        return None
    after = {m: {s for t in net.transitions if (s := successor(m, t))} for m in markings}
    behind = {m: {m} for m in markings}
    changed = True
    while changed:
        changed = False
        for marking, successors in after.items():
            for further in successors:
                if not behind[further] <= behind[marking]:
                    behind[marking] |= behind[further]
                    changed = True
    return behind


def is_home(net: Net, formula: Formula, behind: dict[Marking, set[Marking]]) -> bool:
    """By definition: from every reachable marking one in the formula can be reached."""
    inside = {marking for marking in behind if evaluate(formula, net.values(marking))}
    return all(inside & reached for reached in behind.values())


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


def table_of(net: Net, *lines: tuple[str, int, str]) -> RankedTable:
    """Rows read (`p q`, rank, transition), with the marked places."""
    bits = tuple((place, 2) for place in net.places)
    columns = [integers(text.split().count(place) for text, _, _ in lines) for place in net.places]
    words = pack(fields_of(bits), len(lines), columns)
    numbers = integers(rank for _, rank, _ in lines)
    names = tuple(dict.fromkeys(name for _, _, name in lines))
    actions = np.array([names.index(name) for _, _, name in lines], dtype=np.uint32)
    table = ranked_certificate(bits, words, numbers, actions, names)
    assert table is not None
    return table


def trace(*names: str) -> Trace:
    return Trace(tuple((name, 1) for name in names))


LEFT = table_of(FORK, ("p", 1, "leave"), ("q", 2, "back"), ("r", 0, "go"))
"""From everywhere the token can leave."""

AWAY = equal(r, 1)
ONWARD = OnwardTraces(((("r", 1),),), LEFT, ((trace(),),))

TRUE_CLAIMS: dict[str, Claim] = {
    "ranks that fall": Home((AWAY,), LEFT),
    "several formulas": Home((AWAY, at_most(p, 0)), LEFT),
    "ranks that fall by more than one": Home(
        (AWAY,), table_of(FORK, ("p", 7, "leave"), ("q", 9, "back"), ("r", 0, "go"))
    ),
    "rows that are not reachable": Home(
        (at_most(r, 1),), table_of(FORK, *((m, 0, "go") for m in ("p", "q", "r", "")))
    ),
    "a row of rank 0 whose transition has no name": Home(
        (AWAY,), replace(LEFT, transitions=LEFT.transitions.replace(bytes([0, 0, 0, 2]), b"\7" * 4))
    ),
    "traces that lead on": Home((AWAY, at_most(q, 0)), replace(ONWARD, traces=((trace(),) * 2,))),
    "nothing after the last firing": ExcludedAfter(
        trace("leave"), at_least(p + q, 1), table_of(FORK, ("r", 0, "go")).table
    ),
}

FALSE_CLAIMS: dict[str, tuple[Claim, str]] = {
    "a rank that does not fall": (
        Home((equal(q, 1),), table_of(FORK, ("p", 1, "go"), ("q", 0, "go"), ("r", 1, "leave"))),
        "leads to no lower rank",
    ),
    "ranks in a circle": (
        Home((AWAY,), table_of(FORK, ("p", 1, "go"), ("q", 1, "back"), ("r", 0, "go"))),
        "leads to no lower rank",
    ),
    "a transition that leads up": (
        Home((AWAY,), table_of(FORK, ("p", 1, "go"), ("q", 2, "back"), ("r", 0, "go"))),
        "leads to no lower rank",
    ),
    "rank 0 outside of the formula": (
        Home((equal(q, 1),), LEFT),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "rank 0 outside of the last formula": (
        Home((AWAY, equal(q, 1)), LEFT),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "no initial marking": (
        Home((AWAY,), table_of(FORK, ("r", 0, "go"))),
        "the initial marking is not in the table",
    ),
    "rows that firings leave": (
        Home((equal(q, 1),), table_of(FORK, ("p", 1, "go"), ("q", 0, "go"))),
        "leaves the table",
    ),
    "no rows where nothing is": (Home((FALSE,), LEFT), "is not in the home space"),
    "no formulas": (Home((), LEFT), "no home space is named"),
    "a formula about no place": (Home((equal(variable("x"), 0),), LEFT), "no place of the net"),
    "half of the ranks": (
        Home((AWAY,), replace(LEFT, ranks=LEFT.ranks[:-4])),
        "not a rank and a transition for each row",
    ),
    "half of the transitions": (
        Home((AWAY,), replace(LEFT, transitions=LEFT.transitions[4:])),
        "not a rank and a transition for each row",
    ),
    "a transition without a name": (
        Home((AWAY,), replace(LEFT, names=("leave",))),
        "the transition of some row has no name",
    ),
    "a transition of another net": (
        Home((AWAY,), replace(LEFT, names=("leave", "fly", "go"))),
        "no transition of the net",
    ),
    "rows without a place": (
        Home((AWAY,), replace(LEFT, table=replace(LEFT.table, layout=LEFT.table.layout[1:]))),
        "a field for every place",
    ),
    "rows that count a place with another": (
        Home((AWAY,), replace(LEFT, table=replace(LEFT.table, counted=(("r", (("p", 1),)),)))),
        "counts no others",
    ),
    "rows that end too soon": (
        Home((AWAY,), replace(LEFT, table=replace(LEFT.table, rows=LEFT.table.rows[:-1]))),
        "ends within a row",
    ),
    "traces into another marking": (
        Home((equal(q, 1),), ONWARD),
        "a trace does not lead from a home marking into its formula",
    ),
    "traces that do not fire": (
        Home((equal(q, 1),), replace(ONWARD, traces=((trace("go"),),))),
        "cannot fire",
    ),
    "one trace too few": (
        Home((AWAY, at_most(q, 0)), ONWARD),
        "not a trace into each of the formulas",
    ),
    "traces of no marking": (
        Home((AWAY,), replace(ONWARD, traces=())),
        "not traces for each of the home markings",
    ),
    "a proof about other markings": (
        Home((at_least(p + q, 1),), replace(ONWARD, markings=((("p", 1),),), traces=((trace(),),))),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "a proof about a marking that differs on the first place": (
        Home(
            (conjunction((equal(p, 1), AWAY)),),
            replace(ONWARD, markings=((("p", 1), ("r", 1)),)),
        ),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "a proof about a marking that differs on the last place": (
        Home((at_least(r, 2),), replace(ONWARD, markings=((("r", 2),),))),
        "a row of rank 0 is not in the home space: r = 1",
    ),
    "no home marking": (
        Home((at_least(p + q, 1),), replace(ONWARD, markings=(), traces=())),
        "is not in the home space",
    ),
    "a marking of another net": (
        Home((AWAY,), replace(ONWARD, markings=((("x", 1),),))),
        "one that the net has not",
    ),
    "a place twice": (
        Home((AWAY,), replace(ONWARD, markings=((("r", 1), ("r", 1)),))),
        "names a place twice",
    ),
    "half a token": (
        Home((AWAY,), replace(ONWARD, markings=((("r", 0.5),),))),  # type: ignore[arg-type]
        "something else than numbers of tokens",
    ),
    "fewer tokens than none, and more elsewhere": (
        Home((at_least(q, 0),), replace(ONWARD, markings=((("r", 1), ("q", -1)),))),
        "something else than numbers of tokens",
    ),
    "fewer tokens than none": (
        Home((AWAY,), replace(ONWARD, markings=((("r", -1),),))),
        "something else than numbers of tokens",
    ),
    "a proof within a proof": (
        Home((AWAY,), replace(ONWARD, proof=ONWARD)),
        "is nested",
    ),
    "a certificate of what is never reached": (
        Home((AWAY,), LEFT.table),
        "nothing audits proofs of type 'MarkingTable'",
    ),
    "a marking that reaches the formula after all": (
        ExcludedAfter(trace("go"), AWAY, table_of(FORK, ("q", 0, "go")).table),
        "leaves the table",
    ),
    "a table that has the formula": (
        ExcludedAfter(trace("go"), AWAY, LEFT.table),
        "does not exclude the target: r = 1",
    ),
    "a certificate about the initial marking": (
        ExcludedAfter(trace("leave"), AWAY, table_of(FORK, ("p", 0, "go"), ("q", 0, "go")).table),
        "the initial marking is not in the table",
    ),
    "a trace that does not fire": (
        ExcludedAfter(trace("back", "leave"), at_least(p, 1), table_of(FORK, ("r", 0, "go")).table),
        "cannot fire",
    ),
}


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
    parametric = replace(FORK, added=frozenset({"go"}))
    for kind, text in (("home", "p = 1"), ("reversible", "")):
        with pytest.raises(QueryError, match="parametric"):
            read_question(parametric, kind, text)

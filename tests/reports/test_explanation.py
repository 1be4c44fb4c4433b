"""`verify --explain`: what it says of accepted evidence is short, and true of the net."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from folders import NETS
from questions import problem as ask

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    at_least,
    at_most,
    equal,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.certificates.invariant import (
    Certificate,
    DirectionOrigin,
    Hints,
    Separator,
)
from petricheck.evidence.certificates.ranking import RankingFunction
from petricheck.evidence.certificates.renewal import RenewedTokens
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Home, Terminating, claim_of
from petricheck.evidence.explanation import Explained
from petricheck.formats.nets import read_net
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem
from petricheck.questions import check
from petricheck.reports.explanation.claims import explain
from petricheck.reports.explanation.html import claim_html
from petricheck.reports.explanation.text import (
    BRIEF,
    CASES,
    CHARACTERS,
    PARTS,
    claim_lines,
    explained_lines,
    plain,
)


def ring(size: int) -> Net:
    """A token that goes round."""
    places = {f"p{n}": int(n == 0) for n in range(size)}
    steps = {f"t{n}": ({f"p{n}": 1}, {f"p{(n + 1) % size}": 1}) for n in range(size)}
    return make_net("ring", places, steps)


def filled(tmp_path: Path) -> Net:
    """A place that an inhibitor arc lets have three tokens."""
    (path := tmp_path / "filled.net").write_text("pl p\ntr t p?-3 -> p\n")
    return read_net(path).net


def explanation(problem: Problem, answer: Reachable | Unreachable) -> Explained:
    return explain(problem.net, claim_of(problem.target, answer), target=True)


def reasons(explained: Explained) -> list[str]:
    """What is told beyond the evidence itself."""
    return [*explained_lines(explained)][len([*claim_lines(explained, BRIEF)]) :]


def told(problem: Problem, certificate: object) -> list[str]:
    return reasons(explanation(problem, Unreachable(certificate)))


def test_a_place_invariant_is_named_and_is_what_the_target_contradicts() -> None:
    whole = linear((f"p{n}", 1) for n in range(3))
    origins = (DirectionOrigin(tuple((f"p{n}", 1) for n in range(3)), ("place_invariants",)),)
    lines = told(ask(ring(3), target="p0=2"), Certificate(equal(whole, 1), None, origins))
    assert lines == [
        "The invariant, part by part:",
        "  1. p0 + p1 + p2 = 1",
        "     place invariant: no transition changes this sum; initially so, 1 = 1; "
        "suggested by place invariants",
        "  Target: p0 + p1 + p2 = 2 contradicts 1.",
    ]


def test_a_part_that_follows_from_the_others_is_left_out_unless_it_refutes_the_target() -> None:
    net = make_net("still", {"p": 0, "q": 0}, {})
    p, q = variable("p"), variable("q")
    parts = (at_most(p, 1), at_most(q, 1), at_most(p + q, 2))
    separator = Separator(0, (("p", 1), ("q", 1)), 0, (-1,), 1)
    certificate = Certificate(Conjunction(parts), Hints(((),), (separator,)))
    brief = told(ask(net, cover="p=2"), certificate)
    assert sum("initially so" in line for line in brief) == 2 and "p + q" not in "".join(brief)
    whole = told(ask(net, formula="p + q = 3"), certificate)
    assert sum("initially so" in line for line in whole) == 3
    assert whole[-1] == "  Target: p + q >= 3 contradicts 3."


def cases_of(net: Net, successors: tuple[tuple[int, ...], ...]) -> Certificate:
    """One case for each place that the token of a ring may be on."""
    names = net.places
    cases = tuple(
        Conjunction(tuple(at_most(variable(p), int(p == here)) for p in names)) for here in names
    )
    return Certificate(Disjunction(cases), Hints(successors, ()))


def test_cases_say_where_transitions_lead_and_which_are_disabled() -> None:
    net = ring(2)
    lines = told(ask(net, cover="p0=2"), cases_of(net, ((1, -1), (-1, 0))))
    assert lines[0] == "Case 1 of 2, which holds initially:"
    assert {"  Disabled here: t1.", "  Lead to case 2: t0."} < set(lines)
    assert "  Target: p0 >= 2 contradicts 1." in lines


def test_a_false_hint_is_not_repeated() -> None:
    net = ring(2)
    lines = told(ask(net, cover="p0=2"), cases_of(net, ((0, -1), (-1, 0))))
    first = lines[: lines.index("Case 2 of 2:")]
    assert not any(line.startswith("  Stay in this case") for line in first)
    assert "  Where 1 other transition may lead is not explained here." in first


def test_what_no_part_contradicts_is_left_to_the_audit() -> None:
    both = Conjunction(
        (at_least(linear([("p0", 1), ("p1", 1)]), 1), at_most(linear([("p0", 1), ("p2", 1)]), 1))
    )
    problem = ask(ring(3), formula="p0 + p1 + 2*p2 >= 9")
    assert told(problem, Certificate(both))[-1] == (
        "  That the target contradicts this, the audit found; why is not explained here."
    )


def test_large_evidence_is_counted_where_it_is_not_shown() -> None:
    net = ring(40)
    moves = tuple(tuple((n + 1) % 40 if n == t else -1 for t in range(40)) for n in range(40))
    lines = told(ask(net, cover="p0=2"), cases_of(net, moves))
    assert lines[-1] == f"… and {40 - CASES} more cases; the evidence has all."
    assert f"  … and {40 - PARTS} more parts" in lines
    assert any(line.endswith(" and 27 more.") for line in lines)
    wide = told(ask(net, cover="p0=2"), Certificate(equal(linear((p, 1) for p in net.places), 1)))
    assert all(len(line) < CHARACTERS + 100 for line in (*lines, *wide))
    steps = Reachable(Trace(tuple((t.name, 1) for t in net.transitions)))
    gone = reasons(explanation(ask(net, target="p0=1"), steps))
    assert "  … and 25 more steps" in gone and gone[-1] == f"  … and {40 - PARTS} more places"


def test_a_trace_is_told_by_what_it_makes_of_the_places() -> None:
    net = make_net("n", {"a": 2, "b": 0, "c": 1}, {"t": ({"a": 1}, {"b": 3}), "u": ({"b": 1}, {})})
    trace = Reachable(Trace((("t", 2), ("u", 5))))
    assert reasons(explanation(ask(net, target="b=1, c=1"), trace)) == [
        "Step by step:",
        "  1. t × 2: a 2 → 0, b 0 → 6",
        "  2. u × 5: b 6 → 1",
        "The trace changes 2 places; tokens before, at most, and after it:",
        "  a: 2, 2, 0",
        "  b: 0, 6, 1",
        "It leaves 1 other marked place alone: c = 1.",
    ]


def test_the_state_equation_is_told_with_its_traps_and_what_the_siphon_blocks() -> None:
    net = make_net("n", {"a": 1, "s": 0}, {"t": ({"s": 1}, {"a": 1, "s": 1}), "u": ({}, {"a": 3})})
    certificate = StateEquationCertificate((("a",),), ("s",))
    assert told(ask(net, target="a=3"), certificate) == [
        "As the audit found, no x >= 0 makes m = m0 + D·x a marking in the target that keeps to "
        "these facts.",
        "1 transition may be counted in x.",
        "  Marked trap {a}: initially a = 1; what takes from it puts on it.",
        "Empty siphon {s}: what puts on it takes from it.",
        "Blocked by the siphon: t.",
    ]


def test_what_evidence_files_call_things_cannot_move_the_cursor() -> None:
    bare = (DirectionOrigin((("p0", 1),), ("\x1b[2J\nforged",)),)
    lines = told(ask(ring(2), cover="p0=2"), Certificate(at_most(variable("p0"), 1), None, bare))
    assert all(line.isprintable() for line in lines)


def words(data: object) -> Iterator[str]:
    """The sentences in JSON."""
    if isinstance(data, dict | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from words(part)
    elif isinstance(data, str):
        yield data


class Text(HTMLParser):
    """The text of HTML, without signs that are written otherwise there."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.text += data


def bare(text: str) -> str:
    """Letters and digits alone."""
    return re.sub(r"\W|_|mod|and|or", "", text)


def test_text_json_and_html_tell_the_same() -> None:
    for formula in ("p1 = 1 and p2 = 0", "p1 = 3 and p2 = 3", "p1 >= p2 + 1", "p1 = p2 + 5"):
        problem = ask(read_net(NETS / "fig8_U.pnml").net, formula=formula)
        for engine in ("cegar", "state_equation"):
            answer = check(problem, engine=engine).answer
            if not isinstance(answer, Reachable | Unreachable):
                continue
            explained = explanation(problem, answer)
            text = bare(" ".join(explained_lines(explained)))
            data = plain(explained)
            page = bare(Text(claim_html(explained)).text)
            assert json.loads(json.dumps(data)) == data
            sentences = [s for s in words(data["reasons"]) if " " in s]
            assert sentences or isinstance(answer, Reachable)
            for said in map(bare, sentences):
                assert said in text and said in page


def test_that_a_place_and_its_complement_have_a_sum_is_told_as_a_bound(tmp_path: Path) -> None:
    whole = equal(variable("p") + variable("p_complement"), 3)
    problem, answer = ask(filled(tmp_path), cover="p=4"), Unreachable(Certificate(whole))
    assert [*explained_lines(explanation(problem, answer))] == [
        "This invariant holds initially, is kept by every transition and excludes the target:",
        "  p <= 3",
        "Only markings within these bounds count, which all reachable ones keep: p <= 3.",
        "The invariant, part by part:",
        "  1. p <= 3",
        "     follows from the bounds above",
        "  Target contradicts 1.",
    ]


def test_sums_that_firings_lower_name_no_complement_place(tmp_path: Path) -> None:
    claim = Terminating((), RankingFunction((("p_complement", 1),)))
    lines = [*claim_lines(explain(filled(tmp_path), claim), BRIEF)]
    assert "  -p" in lines
    assert "complement" not in "".join(lines)


def test_tokens_that_return_are_counted_without_complement_places(tmp_path: Path) -> None:
    proof = Certificate(at_least(variable("p"), 0))
    again = RenewedTokens(((("p", 1), ("p_complement", 2)),), proof, ((Trace(()),),))
    lines = [*claim_lines(explain(filled(tmp_path), Home((TRUE,), again)), BRIEF)]
    assert "The net can always get 1 token on 1 place again; from there: 1 trace." in lines

"""A new part is a new file: dropped into its family, it takes part like those that were there."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import pytest
import records as made
from click.testing import CliRunner
from evidence_files import several, write_evidence
from folders import read_question
from notation import net_of
from questions import problem as ask

from petricheck.arithmetic.formulas.formulas import TRUE, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.batch.cells import CellRecord
from petricheck.batch.reports.page import recorded_evidence
from petricheck.batch.solve import decide
from petricheck.batch.store import Store
from petricheck.commands import main
from petricheck.commands.answers.output_forms import Contest
from petricheck.commands.answers.reports import NamedQuestion, Report
from petricheck.engines.portfolio import Portfolio
from petricheck.engines.reductions import constant_places, reduce
from petricheck.evidence.answer import Trace, Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.claims import Home, reached
from petricheck.evidence.files.json import Json
from petricheck.formats.nets import write_net
from petricheck.model.net import make_net
from petricheck.questions import Finding, check
from petricheck.questions import read_question as read_question_of
from petricheck.reports.explanation.sections import claims_html
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, InputError, QueryError

Drop = Callable[[str, str, str], None]

FIG8 = net_of("p1=0 p2=0, produce: -> p1 + p2, consume: p1 + p2 ->")

ENGINE = '''
"""Knows one invariant."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.evidence.answer import Statistics, Unreachable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.arithmetic.formulas.formulas import equal
from petricheck.arithmetic.formulas.terms import variable


@dataclass(frozen=True)
class Oracle:
    """Says that p1 = p2."""

    rank: ClassVar[int] = 0

    def unfit(self, problem):
        return "" if "p1" in problem.net.place_numbers else "there is no p1"

    def solve(self, problem, budget):
        invariant = equal(variable("p1"), variable("p2"))
        return Unreachable(Certificate(invariant), Statistics("oracle"))
'''


@pytest.fixture
def drop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drop]:
    """Puts a module into a family for the length of a test."""
    dropped = []

    def put(family: str, name: str, text: str) -> None:
        folder = tmp_path / family
        folder.mkdir()
        (folder / f"{name}.py").write_text(text)
        package = importlib.import_module(plugins.FAMILIES[family])
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        dropped.append(f"{plugins.FAMILIES[family]}.{name}")

    yield put
    for module in dropped:
        sys.modules.pop(module, None)


def test_a_new_engine_takes_part_in_the_race(drop: Drop) -> None:
    drop("engines", "oracle", ENGINE)
    problem = ask(FIG8, target="p1=1")
    for sweep in ((), ("oracle:1",)):
        answer = Portfolio(sweep=sweep, reductions=False, jobs=1).solve(problem, Budget(30))
        assert isinstance(answer, Unreachable)
        assert answer.statistics.engine == "oracle"


def test_an_engine_does_not_race_for_problems_that_it_is_not_for(drop: Drop) -> None:
    drop("engines", "oracle", ENGINE)
    net = make_net("other", {"q": 0, "r": 0}, {"t": ({}, {"q": 1, "r": 1})})
    options = {"sweep": "", "members": "oracle,cegar", "reductions": "false"}
    answer = check(ask(net, formula="q != r"), options=options, budget=Budget(30)).answer
    assert answer.statistics.engine == "cegar"
    alone = Portfolio(sweep=(), members=("oracle",), reductions=False)
    assert "oracle: there is no p1" in alone.solve(ask(net, formula="q != r"), Budget()).reason


COMMAND_BELOW = '''
import click


@click.command()
@click.argument("name")
def command(name):
    """Count letters.

    And no more.
    """
    click.echo(len(name))
'''


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package, with an engine and a command."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "oracle.py").write_text(ENGINE)
    (tmp_path / "elsewhere" / "letters.py").write_text(COMMAND_BELOW)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.fixture
def entry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str, str], None]]:
    """Adds an entry point, for the length of a test: family, name and module."""
    added: list[metadata.EntryPoint] = []

    def add(family: str, name: str, module: str) -> None:
        added.append(metadata.EntryPoint(name, module, f"petricheck.{family}"))

    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [e for e in added if e.group == group]
    )
    plugins.entries.cache_clear()
    yield add
    plugins.entries.cache_clear()


def test_an_engine_of_another_package_is_called_by_its_dotted_name(
    elsewhere: None,
) -> None:
    problem = ask(FIG8, target="p1=1")
    assert isinstance(check(problem, engine="elsewhere.oracle").answer, Unreachable)
    members = {"sweep": "", "members": "elsewhere.oracle", "reductions": "false"}
    assert check(problem, options=members).answer.statistics.engine == "oracle"
    for nothing in ("elsewhere.nothing", "nowhere.oracle", "os.path"):
        with pytest.raises(QueryError, match=nothing.replace(".", r"\.")):
            check(problem, engine=nothing)


def test_an_engine_of_another_package_is_called_by_its_entry_point(
    elsewhere: None, entry: Callable[[str, str, str], None]
) -> None:
    entry("engines", "delphi", "elsewhere.oracle")
    assert isinstance(check(ask(FIG8, target="p1=1"), engine="delphi").answer, Unreachable)
    with pytest.raises(QueryError, match=r"unknown name 'pythia'.*delphi"):
        check(ask(FIG8, target="p1=1"), engine="pythia")


def test_a_command_of_another_package_is_an_entry_point(
    elsewhere: None, entry: Callable[[str, str, str], None]
) -> None:
    entry("commands", "letters", "elsewhere.letters")
    assert CliRunner().invoke(main, ["letters", "Petri"]).output == "5\n"
    assert re.search(r"\n  letters +Count letters\.\n", CliRunner().invoke(main, ["--help"]).output)
    entry("commands", "lost", "elsewhere.lost")
    plugins.entries.cache_clear()
    refused, help_ = (CliRunner().invoke(main, [word]) for word in ("lost", "--help"))
    assert (refused.exit_code, help_.exit_code) == (2, 0)
    for shown in (refused.output, help_.output):
        assert "the command 'lost' cannot be imported: No module named" in " ".join(shown.split())


def test_a_new_reduction_runs_when_its_turn_comes(drop: Drop) -> None:
    source = Path(constant_places.__file__)
    text = source.read_text().replace("class ConstantPlaces", "class Early")
    drop("reductions", "early", text.replace("rank = 20", "rank = 1"))
    net = make_net("n", {"p": 1, "one": 1}, {"t": ({"p": 1, "one": 1}, {"p": 2, "one": 1})})
    reduced = reduce(ask(net, cover="p=3, one=1"), Budget())
    assert dict(reduced.applied)["early"] == 1
    assert "constant_places" not in dict(reduced.applied)


SHAPE = '''
"""Two places that always have the same tokens."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.support.errors import EvidenceError
from petricheck.arithmetic.formulas.formulas import at_least, conjunction, equal
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.arithmetic.formulas.terms import variable


@dataclass(frozen=True)
class Twins:
    """left = right."""

    left: str
    right: str


@dataclass(frozen=True)
class Twin:
    """No firing tells the twins apart."""

    of: ClassVar[type] = Twins

    def discharge(self, problem, certificate, budget, second_solver):
        """Compare both places in the initial marking and in every effect."""
        net = problem.net
        left, right = (net.place_numbers[name] for name in (certificate.left, certificate.right))
        effects = [dict(t.effect) for t in net.transitions]
        if net.initial[left] != net.initial[right] or any(
            effect.get(left, 0) != effect.get(right, 0) for effect in effects
        ):
            raise EvidenceError("they are no twins")
        same = equal(variable(certificate.left), variable(certificate.right))
        natural = [at_least(variable(place), 0) for place in net.places]
        if find_model(conjunction([problem.target, same, *natural])) is not None:
            raise EvidenceError("the target is met by twins")
        return "compared twin by twin"
'''

NOTATION = '''
"""Twins in evidence files."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.evidence.audit.shapes.twin import Twins
from petricheck.evidence.certificates import Description
from petricheck.arithmetic.formulas.json import read_items, read_text, require_keys


@dataclass(frozen=True)
class Twin:
    """A pair of places."""

    of: ClassVar[type] = Twins
    keys: ClassVar[tuple[str, ...]] = ("twins",)

    def write(self, certificate):
        return {"twins": [certificate.left, certificate.right]}

    def read(self, fields):
        require_keys(fields, *self.keys)
        return Twins(*read_items(fields["twins"], read_text))

    def describe(self, certificate, form):
        text = f"{certificate.left} and {certificate.right} are twins."
        return Description(text, "", text)
'''

TWIN_ENGINE = '''
"""Looks for twins."""

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from petricheck.evidence.answer import Statistics, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.audit.shapes.twin import Twins
from petricheck.support.errors import EvidenceError


@dataclass(frozen=True)
class TwinSearch:
    """Tries all pairs of places."""

    rank: ClassVar[int] = 0

    def solve(self, problem, budget):
        for pair in combinations(problem.net.places, 2):
            answer = Unreachable(Twins(*pair), Statistics("twin_search"))
            try:
                audit(problem, answer, budget=budget)
            except EvidenceError:
                continue
            return answer
        return Unknown("there are no twins")
'''


def test_an_engine_with_a_certificate_of_its_own_is_three_files(
    drop: Drop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drop("audit.shapes", "twin", SHAPE)
    drop("evidence", "twin", NOTATION)
    drop("engines", "twin_search", TWIN_ENGINE)
    problem = ask(FIG8, target="p1=1")
    for sweep in ("twin_search:1", ""):
        options = {"sweep": sweep, "members": "twin_search", "reductions": "false"}
        result = check(problem, options=options, budget=Budget(30))
        assert result.answer.statistics.engine == "twin_search"
        assert result.audit == "compared twin by twin"
    net, evidence = tmp_path / "fig8.pnml", tmp_path / "e.json"
    write_net(FIG8, net)
    asked = [str(net), "--target", "p1=1", "-o", "sweep=twin_search:1"]
    assert main([*asked, "--evidence", str(evidence)], standalone_mode=False) in (None, 0)
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == ["unreachable", "p1 and p2 are twins."]
    assert "Audit: compared twin by twin." in told
    assert main(["verify", str(net), str(evidence)], standalone_mode=False) in (None, 0)
    assert capsys.readouterr().out.startswith("accepted: unreachable\n")
    assert main(["verify", str(net), str(evidence), "--explain"], standalone_mode=False) in (
        None,
        0,
    )
    assert capsys.readouterr().out.splitlines()[-1] == "p1 and p2 are twins."
    shown, _ = recorded_evidence(_record(net, evidence), tmp_path, FIG8)
    assert shown == "<p>p1 and p2 are twins.</p>"
    evidence.write_text(evidence.read_text().replace('["p1", "p2"]', '["p1", "p1"]'))
    assert main(["verify", str(net), str(evidence)], standalone_mode=False) == 4
    with pytest.raises(QueryError, match=r"no \.smt2 form"):
        write_evidence(str(tmp_path / "e.smt2"), None, problem, result.answer)
    capsys.readouterr()
    assert main([*asked, "--json"], standalone_mode=False) in (None, 0)
    assert json.loads(capsys.readouterr().out)["evidence"]["claims"][0]["twins"] == ["p1", "p2"]


ANYWHERE = '''
"""Home spaces that have all markings."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.support.errors import EvidenceError
from petricheck.arithmetic.formulas.formulas import TRUE


@dataclass(frozen=True)
class Everywhere:
    """The net is there already."""


@dataclass(frozen=True)
class Anywhere:
    """Sees that formulas are true."""

    of: ClassVar[type] = Everywhere

    def discharge(self, net, formulas, proof, budget, second_solver):
        if any(formula != TRUE for formula in formulas):
            raise EvidenceError("the net may be elsewhere")
        return "seen at once"
'''

ANYWHERE_NOTATION = '''
"""The same in evidence files."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.evidence.audit.homes.anywhere import Everywhere
from petricheck.evidence.certificates import Description


@dataclass(frozen=True)
class Anywhere:
    """Nothing but a key."""

    of: ClassVar[type] = Everywhere
    keys: ClassVar[tuple[str, ...]] = ("anywhere",)

    def write(self, certificate):
        return {"anywhere": []}

    def read(self, fields):
        return Everywhere()

    def describe(self, certificate, form):
        text = "The net is there already."
        return Description(text, "", text)
'''


def test_a_proof_of_home_spaces_is_two_files(
    drop: Drop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop("audit.homes", "anywhere", ANYWHERE)
    drop("evidence", "anywhere", ANYWHERE_NOTATION)
    everywhere = importlib.import_module("petricheck.evidence.audit.homes.anywhere").Everywhere()
    net, evidence = tmp_path / "fig8.pnml", tmp_path / "e.json"
    write_net(FIG8, net)
    for text, formula in (("true", TRUE), ("p1 = 0", equal(variable("p1"), 0))):
        claim = Home((formula,), everywhere)
        evidence.write_bytes(Json().write(FIG8, several(FIG8, "home", text, (claim,))))
        accepted = main(["verify", str(net), str(evidence), "--explain"], standalone_mode=False)
        told = capsys.readouterr().out
        if formula == TRUE:
            assert accepted in (None, 0) and "seen at once" in told
            assert told.splitlines()[-1] == "The net is there already."
        else:
            assert (accepted, told) == (4, "rejected: the net may be elsewhere\n")


BALANCE = '''
"""Claims that places always have as many tokens."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.arithmetic.formulas.json import TEXT, record
from petricheck.evidence.claims import Claim
from petricheck.evidence.explanation import Id, Line, Replayed
from petricheck.evidence.answer import Trace


@dataclass(frozen=True, slots=True)
class Balanced(Claim):
    """Always left = right."""

    left: str
    right: str


@dataclass(frozen=True)
class Balance:
    """Says so."""

    of: ClassVar[type] = Balanced
    keys: ClassVar[tuple[str, ...]] = ("balanced",)
    rank: ClassVar[int] = 15
    noun: ClassVar[str] = "balance"
    technique: ClassVar[str] = "SCALES"

    def form(self, formula):
        return record(Balanced, {"balanced": TEXT, "with as much on": TEXT})

    def statement(self, claim, *, target):
        return (Id(claim.left), " weighs as much as ", Id(claim.right), ".")

    def evidence(self, net, claim, *, target):
        yield Line(("Look at the scales.",))

    def reasons(self, net, claim):
        yield Replayed(Trace((("produce", 1),)), title=("On the scales:",))
'''


def test_a_new_type_of_claims_is_one_file_and_proves_nothing_without_a_rule_of_the_audit(
    drop: Drop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drop("claims", "balance", BALANCE)
    balanced = importlib.import_module("petricheck.evidence.claims.balance").Balanced
    claims = (balanced("p1", "p2"), balanced("p2", "p1"))
    refusal = "there is no rule for a claim of type Balanced"
    with pytest.raises(EvidenceError, match=refusal):
        prove(FIG8, claims[0])
    question = read_question_of(FIG8, "bounded", "")
    conclusion = replace(question.conclude(claims), value=True)
    finding = Finding(question, conclusion, claims, ("looked at", "looked at"), None)

    assert "p1 weighs as much as p2.\nLook at the scales.\np2 weighs" in str(finding)
    several_claims = replace(finding, claims=(*claims, *claims, reached(TRUE, Trace(()))))
    assert "Evidence: 1 trace, 4 balances." in str(several_claims)
    Contest().write(Report(NamedQuestion(question, "b1"), finding, None))
    assert capsys.readouterr().out == "FORMULA b1 TRUE TECHNIQUES SCALES AUDITED\n"

    assert claims_html(FIG8, claims[:1]) == f"<p>The evidence is not shown: {refusal}.</p>"
    monkeypatch.setattr("petricheck.evidence.audit.quick.prove", lambda net, claim: "looked at")
    page = claims_html(FIG8, claims[:1])
    assert re.search("p.*1.* weighs as much as .*Look at the scales.*On the scales:", page)

    net, evidence = tmp_path / "fig8.pnml", tmp_path / "e.json"
    write_net(FIG8, net)
    evidence.write_bytes(Json().write(FIG8, several(FIG8, "bounded", "", claims)))
    assert json.loads(evidence.read_bytes())["claims"][1] == {
        "balanced": "p2",
        "with as much on": "p1",
    }
    assert Json().read(evidence.read_bytes()).claims == claims
    assert main(["verify", str(net), str(evidence)], standalone_mode=False) == 4
    assert capsys.readouterr().out == f"rejected: claim 1: {refusal}\n"


def _record(net: Path, evidence: Path) -> CellRecord:
    asked = replace(made.question("fig8"), net=made.copy_of(net, net.parent))
    name = f"{sha256(evidence.read_bytes()).hexdigest()}.json"
    (net.parent / name).write_bytes(evidence.read_bytes())
    return made.record(asked, evidence=name)


def test_no_reduction_lifts_a_certificate_that_it_does_not_know() -> None:
    net = make_net("n", {"p": 1, "q": 1}, {"t": ({"p": 1}, {"p": 2}), "u": ({"q": 1}, {"q": 2})})
    reduced = reduce(ask(net, cover="p=3"), Budget())
    assert reduced.steps
    assert reduced.lift(Unreachable("twins")) is None


TARGET = '''
"""The question after markings with many tokens."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.arithmetic.formulas.formulas import at_least
from petricheck.arithmetic.formulas.terms import linear
from petricheck.questions.kind import Reaching


@dataclass(frozen=True)
class Crowd(Reaching):
    """So many tokens in all."""

    rank: ClassVar[int] = 35
    meaning: ClassVar[str] = "At least so many tokens in all."
    example: ClassVar[str] = "7"

    def read(self, net, text):
        return at_least(linear((place, 1) for place in net.places), int(text))
'''

CLAIMS = '''
"""The question whether a place is ever marked."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.evidence.claims import Excluded, Reached
from petricheck.support.errors import QueryError
from petricheck.arithmetic.formulas.formulas import at_least
from petricheck.arithmetic.solvers.smtlib import written_alike
from petricheck.arithmetic.formulas.terms import variable
from petricheck.questions import Conclusion, Kind, yes_or_no


@dataclass(frozen=True)
class Marked(Kind):
    """Whether a place ever holds a token."""

    rank: ClassVar[int] = 95
    meaning: ClassVar[str] = "Whether a place ever holds a token."
    example: ClassVar[str] = "p1"

    def answers(self, text):
        return yes_or_no(("marked",), ("never marked",))

    def read(self, net, text):
        if text not in net.places:
            raise QueryError("there is no such place", text=text, position=0)
        return at_least(variable(text), 1)

    def search(self, study, contents):
        for content in contents:
            study.decide(content, study.budget)

    def conclude(self, net, content, claims):
        value = None
        for claim in claims:
            match claim:
                case Reached(_, ((_, formula),)) if written_alike(formula, content):
                    value = True
                case Excluded(formula) if written_alike(formula, content):
                    value = False
        details = () if value is None else ("That is all.",)
        return Conclusion(self.answers(""), value, details, {"marked": value})
'''

KINDS = {"crowd": TARGET, "marked": CLAIMS}
FAMILY = "questions.kinds"
ENTRY = {"net": "fig8.pnml", "kind": "formula", "expected": "reachable"}

COMMAND = """
import sys
from petricheck.questions import kinds
kinds.__path__.append(sys.argv.pop(1))
from petricheck.commands import main
main()
"""

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command in a folder with a net, where there are two more kinds of questions."""
    (tmp_path / "kinds").mkdir()
    for name, text in KINDS.items():
        (tmp_path / "kinds" / f"{name}.py").write_text(text)
    write_net(FIG8, tmp_path / "fig8.pnml")

    def run(*words: str) -> str:
        command = [sys.executable, "-c", COMMAND, str(tmp_path / "kinds"), *words]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
        return ended.stdout

    return run


@pytest.mark.parametrize(
    ("kind", "words", "answer", "value"),
    [("crowd", "4", "reachable", True), ("marked", "p1", "marked", True)],
)
@pytest.mark.slow
def test_a_new_kind_of_question_is_one_file(
    kind: str, words: str, answer: str, value: bool, run: Run, tmp_path: Path
) -> None:
    asked = ("fig8.pnml", f"--{kind}", words)
    told = run(*asked, "--evidence", "e.json", "--html", "page.html", "--expect", answer)
    assert told.startswith(f"{answer}\n") and "Audit" in told
    assert answer in (tmp_path / "page.html").read_text()
    fields = json.loads(run(*asked, "--json"))
    assert (fields["kind"], fields["question"]) == (kind, words)
    assert (fields["verdict"], fields["value"]) == (answer, value)
    assert run(*asked, "--quiet") == f"{answer}\n"
    assert run("verify", "fig8.pnml", "e.json", f"--{kind}", words).startswith(
        f"accepted: {answer}\n"
    )


def test_a_new_kind_of_question_is_in_the_help_and_in_tasks(run: Run, tmp_path: Path) -> None:
    shown = run("--help")
    assert "--crowd TEXT" in shown and "--marked TEXT" in shown
    (tmp_path / "fig8.json").write_text(json.dumps(ENTRY | {"crowd": "4"}))
    run("batch", "tasks", "fig8.json", "--out", "tasks")
    (task,) = (tmp_path / "tasks" / "tasks").iterdir()
    assert '"question": "crowd"' in task.read_text()


NUMBER = '''
"""How many transitions the file has, which nobody need search for."""

from dataclasses import dataclass
from typing import ClassVar

from petricheck.questions import Answers, Conclusion, Kind


@dataclass(frozen=True)
class Size(Kind):
    """The number of transitions."""

    rank: ClassVar[int] = 90
    meaning: ClassVar[str] = "How many transitions there are."

    def answers(self, text):
        return Answers({"unbounded": ("countless",)}, "size")

    def search(self, study, contents):
        pass

    def conclude(self, net, content, claims):
        return Conclusion(self.answers(""), len(net.transitions))
'''


def test_a_new_kind_is_asked_by_an_index_compared_kept_and_read_again(
    drop: Drop, tmp_path: Path
) -> None:
    drop(FAMILY, "size", NUMBER)
    write_net(FIG8, tmp_path / "fig8.pnml")
    for written in (2, "size 2", 3, "countless", "many"):
        entry = {"net": "fig8.pnml", "kind": "size", "expected": written}
        (tmp_path / "asked.json").write_text(json.dumps(entry))
        if written == "many":
            with pytest.raises(InputError, match=r"a number, countless or unknown is.*\"many\""):
                read_question(tmp_path / "asked.json")
            continue
        question = read_question(tmp_path / "asked.json")
        assert question is not None
        with Store.create(tmp_path / f"{written}") as store:
            cell = made.cell(question)
            store.commit(cell, decide(cell, lambda _: None), "fig8.pnml")
            (record,) = store.records()
        right = written in (2, "size 2")
        assert (record.correct, record.wrong) == (right, not right)
        assert record.outcome.headline == "size 2"

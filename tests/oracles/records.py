"""Hand-made questions, cells, outcomes and records, for the tests of whatever reads a batch."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from evidence_files import write_json
from notation import EXACT
from questions import problem

from petricheck.batch.cells import Cell, CellLimits, CellOutcome, CellRecord, Host, Key
from petricheck.batch.configurations import DEFAULT, Configuration, parse_configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.store import Store
from petricheck.evidence.answer import Answer
from petricheck.formats.nets import read_net, write_net
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions import VERDICTS, check, kind_of

NONE = parse_configuration("none")
ABS1 = parse_configuration("abs1")
ALL = parse_configuration("all")
HOST = Host(
    "bench-1", "Linux x86_64", 2, 8 << 30, (("petricheck", "0.1.0"), ("z3-solver", "4.13.0"))
)

SOLVED = CellOutcome(
    "decided", "unreachable", False, "cegar", EXACT, iterations=3, states=7, cpu_seconds=0.25,
    seconds=0.5, memory=50 << 20, target="p = 1", host=HOST,
)  # fmt: skip
TIMEOUT = CellOutcome("timeout", reason="the limit", cpu_seconds=1.0, memory=60 << 20, host=HOST)
MEMORY = CellOutcome("memory", reason="the limit of 100 MiB", memory=100 << 20, host=HOST)
GAVE_UP = CellOutcome("unknown", reason="no progress", iterations=4, cpu_seconds=0.125, host=HOST)
CRASH = CellOutcome("error", reason="killed", error="Crash", attempts=3)


def question(
    name: str,
    expected: str = "unreachable",
    bounded: bool | None = True,
    collection: str = "nets",
    **more: Any,
) -> BatchQuestion:
    """A question about a net that does not exist."""
    net = Path("/far/away") / f"{name}.pnml"
    given: dict[str, Any] = {"kind": "formula", "text": "p = 1"} | more
    known = kind_of(given["kind"]).answers(given["text"]).read(expected)
    return BatchQuestion(name, net, expected=known, bounded=bounded, collection=collection, **given)


def cell(
    of: str | BatchQuestion,
    configuration: Configuration = DEFAULT,
    limits: CellLimits | None = None,
) -> Cell:
    """A cell; the question may be given by its name."""
    asked = question(of) if isinstance(of, str) else of
    return Cell(asked, configuration, limits or CellLimits(60.0))


def record(
    of: str | BatchQuestion | Cell,
    configuration: Configuration = DEFAULT,
    outcome: CellOutcome = SOLVED,
    limits: CellLimits | None = None,
    **more: Any,
) -> CellRecord:
    """A record; `more` are fields of the record itself, such as `evidence`."""
    whole = of if isinstance(of, Cell) else cell(of, configuration, limits)
    given: dict[str, Any] = {
        "net": whole.question.net.name,
        "evidence": "",
        "finished": "2026-01-02T03:04:05.678+00:00",
    }
    return CellRecord(whole, outcome, **given | more)


def records(
    cells: Iterable[tuple[str | BatchQuestion, Configuration, CellOutcome]],
) -> tuple[CellRecord, ...]:
    """Records of (question, configuration, outcome)."""
    return tuple(record(*each) for each in cells)


def solved(
    seconds: float, verdict: str = "unreachable", iterations: int | None = 3, **more: Any
) -> CellOutcome:
    """An outcome with a verdict, after so much CPU time."""
    given: dict[str, Any] = {
        "engine": "cegar", "audit": EXACT, "iterations": iterations, "states": 7,
        "cpu_seconds": seconds, "seconds": seconds, "memory": 50 << 20, "host": HOST,
    }  # fmt: skip
    return CellOutcome("decided", verdict, VERDICTS.read(verdict), **given | more)


def many(
    questions: int, configurations: Sequence[str], seed: int = 0, limit: float = 60.0
) -> tuple[CellRecord, ...]:
    """Records of made-up outcomes of all kinds: later configurations are rather faster."""
    chance = random.Random(seed)
    columns = [
        DEFAULT if name == "default" else Configuration(name, "cegar") for name in configurations
    ]
    made: list[CellRecord] = []
    for number in range(questions):
        expected = chance.choice(("reachable", "unreachable", "unreachable"))
        asked = question(
            f"q{number:04}", expected, bounded=chance.choice((True, False)),
            collection=chance.choice(("first", "second")),
        )  # fmt: skip
        hardness = chance.lognormvariate(-1.5, 2.2)
        for place, column in enumerate(columns):
            seconds = hardness * chance.lognormvariate(-0.35 * place, 0.8)
            made.append(
                record(asked, column, _outcome(chance, expected, seconds, limit), CellLimits(limit))
            )
    return tuple(made)


def _outcome(chance: random.Random, expected: str, seconds: float, limit: float) -> CellOutcome:
    if seconds > limit:
        return CellOutcome(
            "timeout", reason="the limit", cpu_seconds=limit, seconds=limit, host=HOST
        )
    match chance.random():
        case luck if luck < 0.02:
            return GAVE_UP
        case luck if luck < 0.03:
            return CRASH
        case luck if luck < 0.035:
            return MEMORY
    return solved(seconds, expected, 1 + int(chance.expovariate(1 / (1 + 5 * seconds**0.5))))


def decided(
    folder: Path, net: Path | Net, words: str, engine: str = "cegar", name: str = "question"
) -> CellRecord:
    """A record of a question about reachability that was really decided, with its files."""
    path = folder / f"{len(list(folder.iterdir()))}.pnml"
    path.write_bytes(net.read_bytes()) if isinstance(net, Path) else write_net(net, path)
    result = check(problem(read_net(path).net, formula=words), engine=engine)
    asked = question(name, text=words, expected=type(result.answer).__name__.lower())
    return with_evidence(folder, path, asked, result.problem, result.answer, audit=result.audit)


def with_evidence(
    folder: Path, path: Path, asked: BatchQuestion, stated: Problem, answer: Answer, **more: Any
) -> CellRecord:
    """A record with this answer as evidence in its file; `more` are fields of the outcome."""
    text = write_json(stated, read_net(path).sha256, answer)  # type: ignore[arg-type]
    evidence = folder / f"{sha256(text).hexdigest()}.json"
    evidence.write_bytes(text)
    verdict = type(answer).__name__.lower()
    outcome = replace(
        SOLVED, verdict=verdict, value=verdict == "reachable", target=asked.text, **more
    )
    own = replace(asked, net=copy_of(path, folder))
    return record(own, outcome=outcome, evidence=str(evidence), net=path.name)


def thousand(folder: Path, some: Sequence[CellRecord]) -> list[CellRecord]:
    """A thousand cells that have the evidence of some in turns, each in a file of its own."""
    cells = []
    for number in range(1000):
        one = some[number % len(some)]
        text = Path(one.evidence).read_bytes() + b" " * number
        own = folder / f"{sha256(text).hexdigest()}.json"
        own.write_bytes(text)
        question = replace(one.cell.question, name=f"q{number:04}")
        cells.append(replace(one, cell=replace(one.cell, question=question), evidence=str(own)))
    return cells


def copy_of(file: Path, folder: Path) -> Path:
    """A copy in the folder, named by its content as a store names it."""
    copy = folder / f"{sha256(file.read_bytes()).hexdigest()}{file.suffix}"
    copy.write_bytes(file.read_bytes())
    return copy


def keys(store: Store) -> frozenset[Key]:
    """The cells of a store that are done."""
    return frozenset(each.cell.key for each in store.records())


def keep(folder: Path, done: Iterable[CellRecord], more: Iterable[Cell] = ()) -> None:
    """A store with the records, and a plan with more cells; their nets are files of a line."""
    with Store.create(folder) as store:

        def kept(whole: Cell) -> Cell:
            net = folder.parent / whole.question.net.name.replace("/", "_")
            net.write_text(whole.question.name, encoding="utf-8", errors="replace")
            return whole.at({whole.question.net: store.keep(net)})

        cells = [(kept(each.cell), each) for each in done]
        store.plan([*(whole for whole, _ in cells), *map(kept, more)])
        for whole, each in cells:
            store.commit(whole, each.outcome, each.net)


def row(text: str, name: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return line.split()

"""The JSON Schemas that are shipped: what petricheck writes and prints in JSON is as they say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from evidence_files import several, write_json
from false_certificates import FALSE, TRUE
from home_spaces import FORK, TRUE_CLAIMS
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from schemas import NAMES, SCHEMAS, VALID
from strategies import nets

from petricheck.commands import main
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.files import evidence_data
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions import ask, check
from petricheck.questions.verification import evidence_of
from petricheck.support.budget import Budget

GOLDENS = sorted((Path(__file__).parents[1] / "goldens").glob("*.txt"))


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_is_printed(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    printed = CliRunner().invoke(main, ["verify", "--print-schema", name])
    assert (printed.exit_code, json.loads(printed.stdout)) == (0, SCHEMAS[name])


def objects(transcript: str) -> Iterator[tuple[str, Any]]:
    """The JSON objects that commands of a transcript print, each with its command."""
    for block in re.split(r"(?m)^(?=\$ )", transcript):
        command, _, printed = block.partition("\n")
        text = re.sub(r": …", ": 0", printed).replace("{…}", "{}")
        text = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("! "))
        while found := re.search(r"(?m)^\{", text):
            try:
                value, end = json.JSONDecoder().raw_decode(text, found.start())
            except json.JSONDecodeError:
                text = text[found.end() :]
                continue
            yield command, value
            text = text[end:]


OTHERS = r"\$ petricheck (info|batch|bench|engines|interpolate|convert)\b"
"""Commands that print objects of their own."""


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_what_the_transcripts_show_is_valid(path: Path) -> None:
    for command, value in objects(path.read_text("utf-8")):
        name = "evidence" if "format" in value else "answer"
        asked = command.startswith("$ petricheck ") and not re.match(OTHERS, command)
        if asked or name == "evidence":
            errors = [error.message for error in VALID[name].iter_errors(value)]
            assert errors == [], command


def test_the_transcripts_show_all_kinds_of_objects() -> None:
    found = [value for path in GOLDENS for _, value in objects(path.read_text("utf-8"))]
    for key in ("format", "property", "result", "error", "versions", "holds", "explanation"):
        assert any(key in value for value in found), key


@settings(max_examples=4, deadline=None)
@given(nets())
def test_the_evidence_of_every_kind_is_valid(net: Net) -> None:
    place = net.places[0]
    words = {"cover": f"{place}=2", "bound": place, "home": f"{place} = 0"}
    questions = words | dict.fromkeys(
        ("deadlock", "bounded", "safe", "quasi_live", "stable", "reversible", "state_space"), True
    )
    for kind, text in questions.items():
        finding = check(ask(net, **{kind: text}), budget=Budget(1))  # type: ignore[arg-type]
        data = evidence_data("e.json", net, evidence_of(finding, None))
        VALID["evidence"].validate(json.loads(data))


@pytest.mark.parametrize("row", [*TRUE, *FALSE][::5], ids=lambda row: row.name)
def test_certificates_of_all_shapes_are_valid(row: Any) -> None:
    traced = isinstance(row.evidence, Trace)
    answer = Reachable(row.evidence) if traced else Unreachable(row.evidence)
    VALID["evidence"].validate(json.loads(write_json(Problem(row.net, row.target), None, answer)))


def test_evidence_of_home_spaces_is_valid() -> None:
    for claim in TRUE_CLAIMS.values():
        data = evidence_data("e.json", FORK, several(FORK, "reversible", "", (claim,)))
        VALID["evidence"].validate(json.loads(data))

"""Properties of a file that ask for a maximum, beside others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from petricheck.cli import main

NETS = Path(__file__).parent.parent / "nets"
FMS = str(NETS / "fms_U.pnml")
BOUND = "<place-bound><place>p12</place><place>p13</place></place-bound>"
ALIVE = (
    "<exists-path><finally><is-fireable><transition>t7</transition></is-fireable></finally>"
    "</exists-path>"
)


@pytest.fixture
def asked(tmp_path: Path) -> str:
    """A file with a question of each kind."""
    each = (
        f"<property><id>{name}</id><formula>{formula}</formula></property>"
        for name, formula in (("most", BOUND), ("fires", ALIVE))
    )
    path = tmp_path / "asked.xml"
    path.write_text(f"<property-set>{''.join(each)}</property-set>")
    return str(path)


def run(asked: str, *arguments: str) -> tuple[int, str]:
    words = [FMS, "--properties", asked, "--timeout", "20", *arguments]
    result = CliRunner().invoke(main, words, prog_name="petricheck")
    return result.exit_code, result.stdout


def test_a_maximum_is_told_beside_truths(asked: str) -> None:
    assert run(asked, "--quiet") == (0, "fires: true\nmost: maximum 1\n")
    status, printed = run(asked, "--property", "most")
    assert status == 0 and printed.startswith("most: maximum 1\n")
    assert "p12 + p13 = 1" in printed and "fires" not in printed


def test_its_evidence_is_a_file_of_claims(asked: str, tmp_path: Path) -> None:
    pattern = str(tmp_path / "e-{id}.json")
    status, printed = run(asked, "--json", "--evidence", pattern)
    fires, most = map(json.loads, printed.splitlines())
    assert (status, fires["holds"], most["property"]) == (0, True, "most")
    assert (most["value"], most["details"]["maximum"]) == (1, 1)
    for name, answer in (("fires", "reachable"), ("most", "maximum 1")):
        words = ["verify", FMS, str(tmp_path / f"e-{name}.json")]
        result = CliRunner().invoke(main, words, prog_name="petricheck")
        assert result.stdout.startswith(f"accepted: {answer}")


def test_what_goes_with_reachability_only_is_refused(asked: str) -> None:
    assert run(asked, "--property", "most", "--shortest")[0] == 2

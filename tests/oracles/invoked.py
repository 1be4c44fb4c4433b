"""The command line within this process, as tests call it."""

from __future__ import annotations

from click.testing import CliRunner, Result

from petricheck.commands import main


def run(*words: object, given: bytes | None = None, **environment: str) -> Result:
    """What the command does; `given` is its standard input."""
    arguments = [*map(str, words)]
    return CliRunner().invoke(main, arguments, input=given, env=environment, prog_name="petricheck")


def settled(result: Result, status: int = 0) -> Result:
    """The result, after checking its status and that it ended without a traceback."""
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result

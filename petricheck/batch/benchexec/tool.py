"""Tool-info module for BenchExec: how it runs petricheck, and what it makes of the output.

A benchmark definition names it: `<benchmark tool="petricheck.batch.benchexec.tool">`. The property
that is checked is that the target is unreachable, so a result is `true` where petricheck says
unreachable, and `false(reachable)` where it says reachable. `tasks` writes task definitions for it;
their options are `question` (target, cover or formula, whose text is the second input file;
deadlock; or property, of the file of properties that is the second input file) and `property`, its
id. A task without options is a net alone, and the run definition's options ask the question.

Nothing else in petricheck imports this module, since BenchExec need not be installed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

from petricheck.support.plugins import as_option, members

REACHABLE = f"{result.RESULT_FALSE_PROP}(reachable)"
"""The property does not hold: a trace leads into the target."""

OUT_OF_MEMORY = "OUT OF MEMORY"
"""As BenchExec itself calls it."""

_DECIDED = (0, 5)
_FAILURES = {2: "question refused", 3: "file refused", 4: "internal error"}
_VERDICT = re.compile(
    r'^(?:  |\{"property": "(?:[^"\\]|\\.)*", "quantifier": "[A-Z ]+", "holds": \w+, )'
    r'"verdict": "(\w+)"',
    re.MULTILINE,
)
_LIMITS = {"time": result.RESULT_TIMEOUT, "memory": OUT_OF_MEMORY}
"""By the word for how the search ended, `ending` in the JSON object."""


class Tool(BaseTool2):  # type: ignore[misc]  # BenchExec has no types
    """petricheck: reachability in place/transition nets, with audited answers."""

    def name(self) -> str:
        """Return the name for people."""
        return "petricheck"

    def executable(self, tool_locator: Any) -> str:
        """Return the command, which is installed with the package."""
        path: str = tool_locator.find_executable("petricheck")
        return path

    def version(self, executable: str) -> str:
        """Return the number alone."""
        version: str = self._version_from_tool(executable, line_prefix="petricheck ")
        return version

    def cmdline(
        self, executable: str, options: Sequence[str], task: Any, rlimits: Any
    ) -> list[str]:
        """Return the command line with the task's question as JSON; BenchExec sets the limits."""
        return [executable, *options, *_question(task), "--json", "--", task.input_files[0]]

    def determine_result(self, run: Any) -> str:
        """Return the verdict as one about the property; or why there is none.

        A limit that petricheck was given itself, among the options, counts as BenchExec's own.
        """
        status = run.exit_code.value
        if status in _FAILURES:
            return f"{result.RESULT_ERROR} ({_FAILURES[status]})"
        verdict = _VERDICT.search(run.output.text)
        match verdict and verdict[1]:
            case "reachable" if status in _DECIDED:
                return REACHABLE
            case "unreachable" if status in _DECIDED:
                return str(result.RESULT_TRUE_PROP)
        record = _record(run.output)
        if record.get("verdict") == "unknown" or status in (1, 130):
            return str(_LIMITS.get(str(record.get("ending")), result.RESULT_UNKNOWN))
        return str(result.RESULT_ERROR)

    def get_value_from_output(self, output: Any, identifier: str) -> str | None:
        """Return a key of the JSON object that holds no further ones, such as engine or audits."""
        match _record(output).get(identifier):
            case None | dict():
                return None
            case list() as texts:
                return "; ".join(dict.fromkeys(map(str, texts))) or None
            case value:
                return str(value)


def _question(task: Any) -> list[str]:
    """Return the options that ask the question; UnsupportedFeatureException for another task."""
    match task.options, task.input_files:
        case None, [_]:
            return []
        case {"question": "property", "property": str(name)}, [_, file]:
            return [f"--properties={file}", f"--property={name}"]
        case {"question": str(kind)}, [_] if kind in members("questions.kinds"):
            return [as_option(kind)]
        case {"question": str(kind)}, [_, file] if kind in members("questions.kinds"):
            return [f"{as_option(kind)}=@{file}"]
    raise UnsupportedFeatureException(
        "petricheck needs a net, and a question as 'petricheck batch tasks' writes them, not "
        f"{len(task.input_files)} files with the options {task.options}"
    )


def _record(output: Any) -> dict[str, Any]:
    """Return the JSON object in the output; empty where there is none, or not whole."""
    lines = [line for line in output if not line.startswith("petricheck: ")]
    begin = next((n for n, line in enumerate(lines) if line.startswith("{")), len(lines))
    try:
        record, _ = json.JSONDecoder().raw_decode("\n".join(lines[begin:]))
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}

"""An engine for the tests of batches: whatever its words do, they do it in a cell."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field

from petricheck.evidence.answer import Answer
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget


@dataclass(frozen=True)
class Scripted:
    """Runs a command to its end, then decides by the state equation."""

    words: str = field(default="[]", metadata={"help": "the words of the command, in JSON"})

    def unfit(self, problem: Problem) -> str:
        return ""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        subprocess.run(json.loads(self.words), stdin=subprocess.DEVNULL, check=False)
        answer: Answer = plugins.build("engines", "state_equation").solve(problem, budget)
        return answer

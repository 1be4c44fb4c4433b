"""An engine within a budget, then the audit: no other way leads to a verdict on a target."""

from __future__ import annotations

import resource
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import Check, Deciding, Engine, IsOpen, Sharing, all_open, isolated
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.evidence.audit import check_origin, prove
from petricheck.evidence.claims import Claim, Reached, claim_of
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    EvidenceError,
    InternalError,
    Refused,
    refusing_faults,
)
from petricheck.support.plugins import read_part

DEFAULT_ENGINE = "portfolio"

_AUDITING = " while the evidence was audited"

Proved: TypeAlias = tuple[tuple[Claim, str], ...]
"""Claims, each with how the audit checked it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The engine for targets, and how evidence is checked.

    Attributes:
        engine: name of the engine, maybe with options: 'cegar:guide=lattice'.
        options: more options of the engine as text.
        second_solver: whether cvc5 checks the obligations of certificates as well.
    """

    engine: str = DEFAULT_ENGINE
    options: Mapping[str, str] = field(default_factory=dict)
    second_solver: bool = False

    @property
    def name(self) -> str:
        """The engine's name alone."""
        return read_part(self.engine).name

    def checker(self) -> Checker:
        """Return the engine with the audit.

        Raises:
            QueryError: no such engine or option.
        """
        engine: Engine = plugins.build("engines", self.engine, self.options)
        return Checker(self.name, engine, self.second_solver)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer about a target that has passed the audit.

    Attributes:
        answer: the verdict with its evidence, or why there is none.
        audit: how the evidence was checked; empty for `Unknown`.
        engine: name of the engine that was to decide.
        seconds: wall time, audit included.
        cpu_seconds: CPU time of this process and of those it started, audit included.
        undecided: why the audit ended without a result, other than by a limit; empty otherwise.
    """

    answer: Answer
    audit: str
    engine: str
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    undecided: str = ""

    def claims(self, target: Formula | None) -> Proved:
        """Return the claim that it proves about the target; none for `Unknown`."""
        if target is None or isinstance(self.answer, Unknown):
            return ()
        return ((claim_of(target, self.answer), self.audit),)


@dataclass(frozen=True, slots=True)
class Checker:
    """An engine and the audit, ready for targets.

    Attributes:
        name: the engine's name.
        engine: the engine.
        second_solver: whether cvc5 checks the obligations of certificates as well.
    """

    name: str
    engine: Engine
    second_solver: bool = False

    @property
    def takes_all(self) -> bool:
        """Return whether the engine uses the whole time for all targets together, or half of it."""
        return isinstance(self.engine, Deciding)

    def check(self, problem: Problem, budget: Budget | None = None) -> Verdict:
        """Decide the problem and audit the evidence.

        Raises:
            InternalError: the engine failed, or its evidence failed the audit; there is no verdict.
        """
        clock, audited, stage, undecided = Clock(), "", "", ""
        limits = budget or Budget()
        try:
            with refusing_faults(f"engine {self.name}"):
                answer = self.engine.solve(_searched(problem), limits)
                stage = _AUDITING
                answer, audited = self._audited(problem, answer, limits)
        except Refused as refusal:
            answer = Unknown(str(refusal))
        except (BudgetExhausted, MemoryError) as error:
            answer = exhausted(error, stage)
            undecided = str(error) if stage and answer.ending is Ending.GAVE_UP else ""
        return Verdict(answer, audited, self.name, *clock.read(), undecided)

    def check_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Generator[tuple[int, Verdict | InternalError], None, None]:
        """Decide problems in one search, as far as that search does, and audit the evidence.

        Args:
            problems: questions about one net.
            budget: limits on all together.
            is_open: whether the problem of a number is still to be decided after what was yielded.

        Yields:
            The number of a problem with its verdict, as soon as there is one; or the error where
            the evidence failed the audit, so that there is none. An engine that fails decides no
            more of them.
        """
        if len(problems) < 2:
            return
        clock = Clock()

        def outcome(
            number: int, answer: Reachable | Unreachable, limits: Budget
        ) -> Verdict | InternalError:
            try:
                return Verdict(*self._audited(problems[number], answer, limits), self.name)
            except BudgetExhausted as error:
                if not self.second_solver or error.ending is not Ending.GAVE_UP:
                    raise
                # The second solver would not decide another engine's evidence either.
                return Verdict(exhausted(error, _AUDITING), "", self.name, undecided=str(error))
            except InternalError as error:
                return error

        with isolated(self.name, budget.watch), suppress(BudgetExhausted):
            try:
                prepare(problems[0].net, budget)
            except InternalError as error:
                yield from ((number, error) for number in range(len(problems)))
                return
            for number, result in self._outcomes(problems, outcome, budget, is_open):
                if isinstance(result, Verdict):
                    wall, cpu = clock.read()
                    result = replace(result, seconds=wall, cpu_seconds=cpu)
                clock = Clock()
                yield number, result

    def _outcomes(
        self,
        problems: Sequence[Problem],
        outcome: Check[Verdict | InternalError],
        budget: Budget,
        is_open: IsOpen,
    ) -> Iterator[tuple[int, Verdict | InternalError]]:
        problems = [_searched(problem) for problem in problems]
        match self.engine:
            case Deciding():
                yield from self.engine.decide_all(problems, outcome, budget, is_open)
            case Sharing():
                for number, answer in self.engine.solve_together(problems, budget, is_open):
                    with budget.tolerate_overruns(), suppress(Refused):
                        yield number, outcome(number, answer, budget)

    def _audited(self, problem: Problem, answer: Answer, budget: Budget) -> tuple[Answer, str]:
        """Return the answer, its trace lifted, and how the evidence was checked; empty without any.

        Raises:
            Refused: as `checked` does.
        """
        if isinstance(answer, Unknown):
            return answer, ""
        stated = claim_of(problem.target, answer)
        claim, audit = checked(problem.net, stated, budget, self.second_solver)
        if isinstance(claim, Reached):
            return Reachable(claim.trace, answer.statistics), audit
        return answer, audit


class Clock:
    """A clock that begins when it is made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), _cpu_seconds()

    def read(self) -> tuple[float, float]:
        """Return wall seconds, and CPU seconds of this process and of its ended children."""
        return time.perf_counter() - self._wall, _cpu_seconds() - self._cpu


def exhausted(error: BudgetExhausted | MemoryError, stage: str = "") -> Unknown:
    """Return the answer `Unknown` of an exhausted budget; no other function makes it."""
    if isinstance(error, MemoryError):
        hint = "set --memory below what the machine has"
        return Unknown("memory ran out", hint, ending=Ending.MEMORY)
    notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
    hint = "allow more, or try other options of the engine"
    return Unknown(f"{error}{stage}{notes}", hint, ending=error.ending)


def prepare(net: Net, budget: Budget) -> None:
    """Check the net's unfolding once, before engines share the time and processes share the net.

    Raises:
        InternalError: the net was not unfolded correctly.
        BudgetExhausted: time or memory ran out.
    """
    try:
        check_origin(net, budget)
    except EvidenceError as error:
        raise InternalError(str(error)) from error


def checked(net: Net, claim: Claim, budget: Budget, second_solver: bool) -> tuple[Claim, str]:
    """Audit a claim; return it, its trace lifted to single colours, and how it was checked.

    Raises:
        Refused: a claim about a net without colours proves nothing about the coloured one.
        InternalError: its evidence is refused.
        BudgetExhausted: a limit ended the audit.
    """
    if net.origin is not None:
        from petricheck.questions.lifting import lifted  # numpy takes its time

        claim = lifted(net, claim, budget)
    try:
        return claim, prove(net, claim, budget=budget, second_solver=second_solver)
    except EvidenceError as error:
        if isinstance(error.__cause__, BudgetExhausted):
            raise error.__cause__ from None
        raise InternalError(f"evidence failed the audit: {error}") from error


def _searched(problem: Problem) -> Problem:
    """Return the problem as engines take it."""
    if problem.net.origin is None:
        return problem
    from petricheck.questions.lifting import searched

    return Problem(searched(problem.net), problem.target)


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime

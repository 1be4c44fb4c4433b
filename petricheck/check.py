"""Questions: an engine within a budget, then the audit. Nothing else yields a verdict."""

from __future__ import annotations

import resource
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget, Shares
from petricheck.engines import Engine, Parallel, Preparing, Sharing
from petricheck.errors import BudgetExhausted, Ending, EvidenceError, InternalError, QueryError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem, make_problem
from petricheck.queries import Asked, asked_words, parse_query
from petricheck.result import Result

DEFAULT_ENGINE = "portfolio"


def ask(net: Net, **question: Asked) -> Problem:
    """The problem for one question: `ask(net, target="p1=1, p3=2")`, `ask(net, deadlock=True)`.

    Args:
        net: the net.
        question: by keyword, a member of the queries (target, cover, formula, deadlock, …): its
            words as the command line takes them; or tokens by place, `cover={"p1": 1}`; or True
            where it has no words. None and False ask nothing.

    Raises:
        QueryError: not exactly one question, or it makes no sense.
    """
    for kind in question:
        if kind in plugins.members("analyses"):
            raise QueryError(f"{kind} is no single problem; use petricheck.analyse(net, {kind}=…)")
    words = {kind: asked_words(kind, asked) for kind, asked in question.items()}
    found = [(kind, text) for kind, text in words.items() if text is not None]
    if len(found) != 1:
        raise QueryError("ask exactly one question, e.g. target='p1=1' or formula='p1 > p2'")
    ((kind, text),) = found
    return make_problem(net, parse_query(kind, net, text))


def check(
    problem: Problem | Net,
    target: Formula | None = None,
    *,
    engine: str = DEFAULT_ENGINE,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> Result:
    """Decide the problem and audit the evidence.

    Args:
        problem: the question, or a net whose target is given beside it.
        target: with a net, a formula over its place ids.
        engine: name of the engine, maybe with options: 'cegar:guide=lattice'.
        options: the engine's options as text.
        budget: limits; none by default.
        second_solver: whether cvc5 checks the obligations of a certificate as well.

    Raises:
        QueryError: no such engine or option.
        InternalError: the engine's evidence failed the audit; there is no verdict.
    """
    if isinstance(problem, Net):
        if target is None:
            raise QueryError("a net needs a target to be checked for")
        problem = make_problem(problem, target)
    solver: Engine = plugins.build("engines", engine, options)
    return Checker(plugins.read_part(engine).name, solver, second_solver).check(problem, budget)


def check_all(
    net: Net,
    targets: Sequence[Formula],
    *,
    engine: str = DEFAULT_ENGINE,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> Iterator[Result]:
    """Decide several targets of one net, each as `check` does; they share what they have in common.

    Args:
        net: the net.
        targets: formulas over its place ids.
        engine: name of the engine, maybe with options: 'cegar:guide=lattice'.
        options: the engine's options as text.
        budget: limits on each target. First a search for all of them takes up to half of the time
            that they have together; then the time of each counts from when its turn comes.
        second_solver: whether cvc5 checks the obligations of certificates as well.

    Yields:
        One result for each target, in their order.

    Raises:
        QueryError: no such engine or option.
        InternalError: evidence failed the audit; the targets after that one are not decided.
    """
    problems = [make_problem(net, target) for target in targets]
    limits = budget or Budget()
    checker = prepare(
        problems, engine=engine, options=options, budget=limits, second_solver=second_solver
    )
    times = Shares(limits.seconds, len(problems))
    together = replace(limits, seconds=times.together(), started=time.monotonic())
    found = dict(checker.check_together(problems, together))
    for number, problem in enumerate(problems):
        known = found.get(number)
        if isinstance(known, InternalError):
            raise known
        own = replace(limits, seconds=times.own(len(problems) - number), started=time.monotonic())
        yield known or checker.check(problem, own)


def prepare(
    problems: Sequence[Problem],
    *,
    engine: str = DEFAULT_ENGINE,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> Checker:
    """What several problems about one net have in common, done once.

    Args:
        problems: questions about the same net.
        engine: name of the engine, maybe with options: 'cegar:guide=lattice'.
        options: the engine's options as text.
        budget: limits on the preparation; where they are reached, there is none.
        second_solver: whether cvc5 checks the obligations of certificates as well.

    Returns:
        A checker for these problems.

    Raises:
        QueryError: no such engine or option.
    """
    solver: Engine = plugins.build("engines", engine, options)
    if isinstance(solver, Preparing) and len(problems) > 1:
        targets = [problem.target for problem in problems]
        with suppress(BudgetExhausted, MemoryError):
            solver = solver.prepare(problems[0].net, targets, budget or Budget())
    return Checker(plugins.read_part(engine).name, solver, second_solver)


@dataclass(frozen=True, slots=True)
class Checker:
    """An engine and the audit, ready for questions.

    Attributes:
        name: the engine's name.
        engine: the engine.
        second_solver: whether cvc5 checks the obligations of certificates as well.
    """

    name: str
    engine: Engine
    second_solver: bool = False

    @property
    def jobs(self) -> int:
        """How many computations the engine runs at a time."""
        return self.engine.jobs if isinstance(self.engine, Parallel) else 1

    def with_one_job(self) -> Checker:
        """The same, with one computation at a time."""
        if not isinstance(self.engine, Parallel):
            return self
        return replace(self, engine=self.engine.with_one_job())

    def check(self, problem: Problem, budget: Budget | None = None) -> Result:
        """Decide the problem and audit the evidence.

        Raises:
            InternalError: the engine's evidence failed the audit; there is no verdict.
        """
        wall, cpu = time.perf_counter(), _cpu_seconds()
        answer, audited = _decide(self.engine, problem, budget or Budget(), self.second_solver)
        seconds, cpu_seconds = time.perf_counter() - wall, _cpu_seconds() - cpu
        return Result(problem, answer, audited, self.name, seconds, cpu_seconds)

    def check_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Generator[tuple[int, Result | InternalError], None, None]:
        """Decide some of several problems in one search, and audit the evidence.

        Args:
            problems: those that the checker was prepared for, or some of them.
            budget: limits on all together.

        Yields:
            The number of a problem with its result, as soon as there is one; or the error where
            the evidence failed the audit, so that there is none.
        """
        if not isinstance(self.engine, Sharing) or len(problems) < 2:
            return
        wall, cpu = time.perf_counter(), _cpu_seconds()
        with suppress(BudgetExhausted, MemoryError):
            for number, answer in self.engine.solve_together(problems, budget):
                problem = problems[number]
                found = _audited(problem, answer, budget, self.second_solver)
                now, used = time.perf_counter(), _cpu_seconds()
                match found:
                    case InternalError():
                        yield number, found
                    case str():
                        seconds, cpu_seconds = now - wall, used - cpu
                        yield (
                            number,
                            Result(problem, answer, found, self.name, seconds, cpu_seconds),
                        )
                wall, cpu = now, used


def _audited(
    problem: Problem, answer: Reachable | Unreachable, budget: Budget, second_solver: bool
) -> str | InternalError | None:
    """How the evidence was checked, or that it failed; None where the budget ended it."""
    try:
        return audit(problem, answer, budget=budget, second_solver=second_solver)
    except EvidenceError as error:
        return None if isinstance(error.__cause__, BudgetExhausted) else _failed(error)


def _cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _decide(
    engine: Engine, problem: Problem, budget: Budget, second_solver: bool
) -> tuple[Answer, str]:
    try:
        answer = engine.solve(problem, budget)
        if isinstance(answer, Unknown):
            return answer, ""
        return answer, audit(problem, answer, budget=budget, second_solver=second_solver)
    except BudgetExhausted as error:
        return _exhausted(error), ""
    except MemoryError:
        hint = "set --memory below what the machine has"
        return Unknown("memory ran out", hint, ending=Ending.MEMORY), ""
    except EvidenceError as error:
        if isinstance(error.__cause__, BudgetExhausted):
            return _exhausted(error.__cause__, " while the evidence was audited"), ""
        raise _failed(error) from error


def _failed(error: EvidenceError) -> InternalError:
    return InternalError(f"the engine's evidence failed the audit: {error}")


def _exhausted(error: BudgetExhausted, where: str = "") -> Unknown:
    """The one place where an exhausted budget becomes an answer."""
    notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
    hint = "allow more, or try other options of the engine"
    return Unknown(f"{error}{where}{notes}", hint, ending=error.ending)

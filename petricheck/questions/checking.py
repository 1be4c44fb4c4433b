"""An engine within a budget, then the audit: no other way leads to a verdict on a target."""

from __future__ import annotations

import resource
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, substitute
from petricheck.engines import (
    Deciding,
    Engine,
    IsOpen,
    Sharing,
    all_open,
    decide_one,
    isolated,
    refusing,
    solve_with,
)
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.evidence.audit import check_origin, prove
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Claim, Excluded, ExcludedAfter, Reached, claim_of
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem
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

_MORE, _LESS = (4, 10.0), (2, 30.0)
"""Of a guarded net without bounds, the parts of the time (1 / the first number), and the most
seconds: for a net that fires more, and for one that fires less; then the first has what is left."""

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
        """Return the engine with the audit; QueryError where there is no such engine or option."""
        engine: Engine = plugins.build("engines", self.engine, self.options)
        return Checker(self.name, engine, self.second_solver)


class Audited(NamedTuple):
    """An answer about a target, whose evidence the audit has accepted.

    Attributes:
        answer: the verdict with its evidence, or why there is none.
        audit: how the evidence was checked; empty for `Unknown`.
        undecided: why the audit ended without a result, other than by a limit; empty otherwise.
    """

    answer: Answer
    audit: str = ""
    undecided: str = ""


@dataclass(frozen=True, slots=True)
class Checker:
    """An engine with its name, and the audit, ready for targets.

    The facts are hints for engines, which need not be true.
    """

    name: str
    engine: Engine
    second_solver: bool = False
    facts: Sequence[Formula] = ()

    @property
    def takes_all(self) -> bool:
        """Return whether the engine uses the whole time for all targets together, or half of it."""
        return isinstance(self.engine, Deciding)

    def check(self, problem: Problem, budget: Budget | None = None) -> Audited:
        """Decide the problem and audit the evidence; InternalError where one of these failed."""
        limits, origin = budget or Budget(), problem.net.origin
        if origin is None or not origin.boundless:
            return self._check(problem, limits)
        # The net fires more than the guarded one; this net fires less.
        result = self._check(problem, limits.part(*_MORE))
        if isinstance(result.answer, Unknown):
            # Which places have complements depends on the transitions.
            target = substitute(problem.target, origin.hidden)
            less = make_problem(replace(_restricted(problem.net), origin=None), target)
            result = self._check(problem, limits.part(*_LESS), less)
        return self._check(problem, limits) if isinstance(result.answer, Unknown) else result

    def _check(self, problem: Problem, limits: Budget, less: Problem | None = None) -> Audited:
        """Decide the problem as `check`; or by a search in a net that fires less."""
        stage = ""
        try:
            with refusing_faults(f"engine {self.name}"):
                searched = _searched(problem) if less is None else less
                if isinstance(self.engine, Deciding):
                    accept = partial(self._accepted, [problem], is_restricted=less is not None)
                    result = decide_one(self.engine, searched, accept, limits, self.facts)
                    if isinstance(result, InternalError):
                        raise result
                    return Audited(result) if isinstance(result, Unknown) else result
                answer = solve_with(self.engine, searched, limits, self.facts)
                if isinstance(answer, Unknown):
                    return Audited(answer)
                stage = _AUDITING
                if less is not None:
                    answer = _unrestricted(problem, answer, limits)
                stated = _shortened(problem.net, claim_of(problem.target, answer), limits)
                claim, audit = checked(problem.net, stated, limits, self.second_solver)
                return Audited(_restated(answer, claim), audit)
        except Refused as refusal:
            return Audited(Unknown(str(refusal)))
        except (BudgetExhausted, MemoryError) as error:
            unknown = exhausted(error, stage)
            gave_up = stage and unknown.ending is Ending.GAVE_UP
            return Audited(unknown, undecided=str(error) if gave_up else "")

    def check_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Generator[tuple[int, Audited | InternalError], None, None]:
        """Decide problems of one net in one search, as far as that does, and audit the evidence.

        Yield the number of a problem with its answer, as soon as there is one; or the error where
        the program is to blame that there is none. An engine that takes all time also yields why
        problems stay open. `is_open` says whether the problem of a number is still to be decided
        after that.
        """
        origin = problems[0].net.origin if problems else None
        if origin is not None and origin.boundless:
            for number, problem in enumerate(problems):
                if is_open(number):
                    yield number, self.check(problem, budget.part(len(problems) - number))
            return
        searched = [_searched(problem) for problem in problems]
        accept = partial(self._accepted, problems)
        match self.engine:
            case Deciding():
                results = self.engine.decide_all(searched, accept, budget, is_open, self.facts)
                for number, failure in (yield from results).items():
                    yield number, Audited(failure) if isinstance(failure, Unknown) else failure
            case Sharing():
                with isolated(self.name, budget.watch), suppress(BudgetExhausted):
                    for number, answer in self.engine.solve_together(searched, budget, is_open):
                        with budget.tolerate_overruns():
                            try:
                                yield number, accept(number, answer, budget)
                            except Refused as refusal:
                                if refusal.is_false:
                                    yield number, InternalError(str(refusal))

    def _accepted(
        self,
        problems: Sequence[Problem],
        number: int,
        answer: Reachable | Unreachable,
        budget: Budget,
        *,
        is_restricted: bool = False,
    ) -> Audited | InternalError:
        """Audit an answer to one of several problems, or one that another engine may answer.

        It may be about a net that fires less than the ordinary net of a guarded one.

        Where the second solver is to confirm the evidence and does not, that is the result: it
        would not do so for another engine's, and solvers that disagree are a fault.

        Raises:
            Refused: the audit does not accept it.
            BudgetExhausted: time or memory ran out.
        """
        net = problems[number].net
        if is_restricted:
            answer = _unrestricted(problems[number], answer, budget)
        with refusing(budget):
            try:
                stated = _shortened(net, claim_of(problems[number].target, answer), budget)
                claim = lifted_claim(net, stated, budget)
                audit = prove(net, claim, budget=budget, second_solver=self.second_solver)
            except EvidenceError as error:
                if not self.second_solver:
                    raise
                cause = error.__cause__
                if not isinstance(cause, BudgetExhausted):
                    return InternalError(f"evidence failed the audit: {error}")
                budget.check()
                return Audited(exhausted(cause, _AUDITING), undecided=str(cause))
        return Audited(_restated(answer, claim), audit)


def _unrestricted(
    problem: Problem, answer: Reachable | Unreachable, budget: Budget
) -> Reachable | Unreachable:
    """Return the answer about a guarded net, from one about a net that fires less.

    A trace stays as it is. An invariant is one of the guarded net as well where its upper guards
    and resets keep it, which is tried; Refused where they do not.
    """
    if isinstance(answer, Reachable):
        return answer
    if isinstance(answer.certificate, Certificate):
        less = _restricted(problem.net).origin
        assert less is not None
        certificate = Certificate(substitute(answer.certificate.invariant, less.hidden))
        with suppress(EvidenceError):
            prove(problem.net, Excluded(problem.target, certificate), budget=budget)
            return replace(answer, certificate=certificate)
    raise Refused("the guards do not keep what excludes the target where less fires")


def _restricted(net: Net) -> Net:
    """Return the net that fires less than a guarded net without bounds."""
    from petricheck.model.guarded.translation import Complementation  # Few nets are guarded.

    assert isinstance(net.origin, Complementation)
    return net.origin.restricted


def _restated(answer: Reachable | Unreachable, claim: Claim) -> Reachable | Unreachable:
    """Return the answer with the evidence of the claim, which may be lifted."""
    match claim:
        case Reached(trace):
            return Reachable(trace, answer.statistics)
        case Excluded(_, certificate):
            return Unreachable(certificate, answer.statistics)
    return answer


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
    more = {Ending.TIME: "allow more time, or ", Ending.MEMORY: "allow more memory, or "}
    hint = f"{more.get(error.ending, '')}try another engine, or other options of this one"
    return Unknown(f"{error}{stage}{notes}", hint, ending=error.ending)


def prepare(net: Net, budget: Budget) -> None:
    """Check the net's unfolding once, before engines share the time and processes share the net.

    InternalError where it is not correct.
    """
    try:
        check_origin(net, budget)
    except EvidenceError as error:
        raise InternalError(str(error)) from error


def checked(
    net: Net, claim: Claim, budget: Budget, second_solver: bool, *, lifting: bool = True
) -> tuple[Claim, str]:
    """Audit a claim; return it, its trace shortened or lifted, and how it was checked.

    Without `lifting`, its trace names single colours already. Refused as by `lifted_claim`;
    InternalError where the evidence is refused.
    """
    if isinstance(claim, ExcludedAfter):
        claim = _shortened(net, claim, budget)
    claim = lifted_claim(net, claim, budget) if lifting else claim
    try:
        return claim, prove(net, claim, budget=budget, second_solver=second_solver)
    except EvidenceError as error:
        if isinstance(error.__cause__, BudgetExhausted):
            raise error.__cause__ from None
        raise InternalError(f"evidence failed the audit: {error}") from error


def lifted_claim(net: Net, claim: Claim, budget: Budget) -> Claim:
    """Return the claim, its trace lifted to single colours where the net was coloured.

    Where the net is parametric, it becomes one about that net. Refused where a claim about the net
    that engines take proves nothing about the given one.
    """
    if net.initials is not None:
        from petricheck.questions.starting import started  # Few nets are parametric.

        return started(net, claim, budget)
    if net.origin is None:
        return claim
    from petricheck.questions.lifting import lifted  # numpy takes its time

    return lifted(net, claim, budget)


def _shortened(net: Net, claim: Claim, budget: Budget) -> Claim:
    """Return the claim with a shorter trace, of which only the end matters, where one is seen.

    Not where colours are merged or left out, or guards: what is shorter there may not fire.
    """
    if net.initials is not None:
        return claim  # It is about the net that engines take.
    if net.origin is not None:
        from petricheck.model.coloured.unfolding import Unfolding  # numpy takes its time

        if net.origin.boundless or net.origin.merging:
            return claim
        if net.is_unfolded and not isinstance(net.origin, Unfolding):
            return claim
    from petricheck.questions.shortening import shortened  # It is above this module.

    return shortened(net, claim, budget)


def _searched(problem: Problem) -> Problem:
    """Return the problem as engines take it."""
    if problem.net.initials is not None:
        from petricheck.model.parametric import with_choice  # Few nets are parametric.

        return with_choice(problem)
    if problem.net.origin is None:
        return problem
    from petricheck.questions.lifting import searched, searched_target

    return Problem(searched(problem.net), searched_target(problem.net, problem.target))


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime

"""What is proved about one net, claim by claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from petricheck.answer import Reachable, Unknown, Unreachable
from petricheck.audit.limits import watched
from petricheck.audit.proofs import prove
from petricheck.budget import Budget
from petricheck.check import Checker, check, prepare
from petricheck.claims import Claim, Excluded, reached
from petricheck.errors import BudgetExhausted, EvidenceError, InternalError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem, make_problem
from petricheck.result import Result


class Study:
    """The proved claims, and who proves more.

    Attributes:
        net: the net.
        budget: limits on everything.
        brief: whether the verdict is enough, without all places or transitions that bear it out.
    """

    def __init__(
        self,
        net: Net,
        engine: str,
        options: Mapping[str, str],
        budget: Budget,
        second_solver: bool = False,
        brief: bool = False,
    ) -> None:
        """A study that knows nothing yet.

        Args:
            net: the net.
            engine: name of the engine that decides targets.
            options: the engine's options as text.
            budget: limits.
            second_solver: whether cvc5 checks the obligations of certificates as well.
            brief: whether the verdict is enough.
        """
        self.net, self.budget, self.brief = net, budget, brief
        self._engine, self._options, self._second_solver = engine, options, second_solver
        self._proved: list[tuple[Claim, str]] = []

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Those that are proved, in their order."""
        return tuple(claim for claim, _ in self._proved)

    @property
    def proved(self) -> tuple[tuple[Claim, str], ...]:
        """The same, each with how it was checked."""
        return tuple(self._proved)

    def prove(self, claim: Claim, budget: Budget | None = None) -> None:
        """Audit a claim, within these limits or those of the study, and take it in.

        Raises:
            InternalError: its evidence is refused.
            BudgetExhausted: the audit came to no end within the limits.
        """
        try:
            limits = budget or self.budget
            audited = prove(self.net, claim, budget=limits, second_solver=self._second_solver)
        except EvidenceError as error:
            if isinstance(error.__cause__, BudgetExhausted):
                raise error.__cause__ from None
            raise InternalError(f"evidence of a claim failed the audit: {error}") from error
        self._proved.append((claim, audited))

    def decide(self, target: Formula, budget: Budget, engine: str = "") -> bool | None:
        """Whether a marking in the target is reachable; a verdict becomes a claim.

        Args:
            target: a formula over the net's places.
            budget: limits.
            engine: who decides, with its options as they are declared; otherwise the study's own.

        Returns:
            None where that is not decided within these limits.

        Raises:
            InternalError: the engine's evidence failed the audit.
        """
        problem = make_problem(self.net, target)
        if engine:
            second = self._second_solver
            return self._known(check(problem, engine=engine, budget=budget, second_solver=second))
        return self._known(self._checker([problem], budget).check(problem, budget))

    def decide_together(
        self, targets: Sequence[Formula], budget: Budget
    ) -> tuple[bool | None, ...]:
        """The same for several targets, in searches that they share.

        Raises:
            InternalError: the engine's evidence failed the audit.
            BudgetExhausted: time or memory ran out before the search began.
        """
        problems = [make_problem(self.net, target) for target in watched(targets, budget)]
        verdicts: list[bool | None] = [None] * len(problems)
        checker = self._checker(problems, budget)
        for number, found in checker.check_together(problems, budget):
            if isinstance(found, InternalError):
                raise found
            verdicts[number] = self._known(found)
        return tuple(verdicts)

    def decide_all(self, targets: Sequence[Formula]) -> None:
        """Decide several targets, together for half of the time that is left, then one by one.

        Raises:
            InternalError: the engine's evidence failed the audit.
            BudgetExhausted: time or memory ran out.
        """
        half = self.budget.within(self.budget.remaining / 2)
        verdicts = self.decide_together(targets, half)
        left = [
            target for target, verdict in zip(targets, verdicts, strict=True) if verdict is None
        ]
        for number, target in enumerate(left):
            self.budget.check()
            share = self.budget.remaining / (len(left) - number)
            self.decide(target, self.budget.within(share))

    def _checker(self, problems: Sequence[Problem], budget: Budget) -> Checker:
        return prepare(
            problems,
            engine=self._engine,
            options=self._options,
            budget=budget,
            second_solver=self._second_solver,
        )

    def _known(self, result: Result) -> bool | None:
        """Take in an audited answer."""
        target = result.problem.target
        match result.answer:
            case Reachable(trace):
                self._proved.append((reached(target, trace), result.audit))
                return True
            case Unreachable(certificate):
                self._proved.append((Excluded(target, certificate), result.audit))
                return False
            case Unknown():
                return None

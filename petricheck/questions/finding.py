"""The result of a question: its answer, the claims it follows from, and how these were checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NoReturn

from petricheck.evidence.answer import Answer, Reachable, Statistics, Unknown, Unreachable
from petricheck.evidence.claims import Claim, Excluded, Reached
from petricheck.model.problem import Problem
from petricheck.questions.kind import Conclusion, Value, kind_of
from petricheck.questions.question import Question
from petricheck.support import plugins
from petricheck.support.errors import InternalError, QueryError

if TYPE_CHECKING:
    from petricheck.explicit.covering.state_graph import MarkingGraph


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """An answer that follows from claims which have passed the audit.

    Attributes:
        question: the question.
        conclusion: the answer that follows from the claims.
        claims: those that the conclusion follows from.
        audits: how each claim was checked.
        unknown: why the question has no answer; None where it has.
        engine: the engine that answered a question about one target, or was to; otherwise empty.
        statistics: of that engine.
        seconds: wall time, audits included.
        cpu_seconds: CPU time of this process and of those it started, audits included.
        failures: the faults of the program that ended an engine or a search while others went on.
        reused: how many of the claims come from earlier evidence; None where none was given.
    """

    question: Question
    conclusion: Conclusion
    claims: tuple[Claim, ...]
    audits: tuple[str, ...]
    unknown: Unknown | None
    engine: str = ""
    statistics: Statistics = field(default_factory=Statistics)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    failures: tuple[str, ...] = ()
    reused: int | None = None

    @property
    def value(self) -> Value | None:
        """The answer: true (reachable, yes) or false, a number, or `UNBOUNDED`; None where open."""
        return self.conclusion.value

    @property
    def headline(self) -> str:
        """The answer in a few words, or the part of it that is proved."""
        return self.conclusion.headline

    @property
    def tone(self) -> Literal["good", "bad", "open", "neutral"]:
        """Whether the answer is what users hope for, for colours; neutral where that is unknown."""
        hoped = kind_of(self.question.kind).hoped
        if self.value is None:
            return "open"
        return "neutral" if hoped is None else "good" if self.value == hoped else "bad"

    @property
    def problem(self) -> Problem:
        """The problem of a question about one target.

        Raises:
            QueryError: the question is of another kind.
        """
        return self.question.problem

    @property
    def answer(self) -> Answer:
        """The verdict on the target, with its evidence, or why there is none.

        Raises:
            QueryError: the question is not about one target.
        """
        if self.question.target is None:
            raise QueryError(
                f"a question of kind {self.question.kind} has no verdict on one target; its answer "
                "is finding.value, and the evidence is in finding.claims"
            )
        if self.unknown is not None:
            return self.unknown
        # Evidence may have more claims than the one that answers the question.
        answering = (c for c in self.claims if self.question.conclude((c,)).complete)
        match next(answering, None):
            case Reached(trace):
                return Reachable(trace, self.statistics)
            case Excluded(_, certificate):
                return Unreachable(certificate, self.statistics)
            case _:
                raise InternalError("no single claim answers the question after one target")

    @property
    def audit(self) -> str:
        """The ways in which the claims were checked, without repetitions; empty without claims."""
        return "; ".join(dict.fromkeys(self.audits))

    @property
    def decider(self) -> str:
        """The engine that gave the answer, where needed one of a portfolio; or `reductions`."""
        return self.statistics.engine or self.engine

    def __bool__(self) -> NoReturn:
        raise QueryError(
            "a finding is neither true nor false; compare finding.value, which is None where the "
            "question is open: finding.value is True"
        )

    @property
    def graph(self) -> MarkingGraph:
        """The reachability graph of the net, or the coverability graph of an unbounded one.

        It is computed when it is asked for, and not audited.

        Raises:
            QueryError: it has more than 10,000 markings.
        """
        from petricheck.explicit.covering.state_graph import LARGEST, marking_graph  # numpy

        graph = marking_graph(self.question.net, LARGEST)
        if graph is None:
            raise QueryError(f"the graph has more than {LARGEST} markings")
        return graph

    # Reports stand above questions: they are called by name.

    def draw(self) -> str:
        """Return the net as a picture (SVG), with the question, the answer and its reason below.

        After a trace the net has the marking that the trace ends in.

        Raises:
            QueryError: the net has more than 100 places and transitions.
        """
        picture: str = plugins.build("reports", "notebook").draw(self)
        return picture

    def __str__(self) -> str:
        lines: Iterable[str] = plugins.build("reports", "report").lines(self)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Finding {self.question.kind}: {self.headline}>"

    def _repr_html_(self) -> str:
        html: str = plugins.build("reports", "notebook").html(self)
        return html

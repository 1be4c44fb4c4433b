"""A question about a net: its kind, its words, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from petricheck.claims import Claim
from petricheck.errors import InputError, QueryError
from petricheck.files import UNREADABLE, content
from petricheck.language.sums import summed, summed_term
from petricheck.markup import Shown
from petricheck.plugins import as_option
from petricheck.presburger.formulas import Formula
from petricheck.presburger.terms import Term
from petricheck.presburger.text import term_to_text
from petricheck.problem import Net, Problem, make_problem
from petricheck.questions.kind import Answers, Colours, Conclusion, is_target, kind_of
from petricheck.words import printable

if TYPE_CHECKING:
    from petricheck.interop.libraries import AnyNet

MAX_BYTES = 16 << 20
"""Largest question that is read, in bytes of UTF-8."""

Words: TypeAlias = str | bool | Mapping[str, int] | None
"""A question of some kind from Python: its words; whether it is put, where it has none; tokens by
place, where its kind has `words` for them; None where it is not put.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Question(Shown):
    """A question.

    Attributes:
        net: the net.
        kind: a member of the kinds.
        text: its words; empty where it has none, or where the target was made of terms.
        content: what they mean to the kind; of a target the formula, as `make_problem` leaves it.
    """

    net: Net
    kind: str
    text: str
    content: Any

    @property
    def target(self) -> Formula | None:
        """The formula whose reachability is the question; None where it is no such question."""
        return self.content if is_target(kind_of(self.kind)) else None

    @property
    def subject(self) -> Formula | None:
        """The one formula that the question is about, be it a target or maybe a home space."""
        return self.content if isinstance(self.content, Formula) else None

    @property
    def shown_target(self) -> Formula | None:
        """The target in the names of the model; None where it is no such question."""
        return None if self.target is None else summed(self.net, self.target)

    @property
    def problem(self) -> Problem:
        """The question as engines take it.

        Raises:
            QueryError: it is not one target.
        """
        if self.target is None:
            remedy = "only petricheck itself answers it"
            raise QueryError(f"{as_option(self.kind)} is no question after one target; {remedy}")
        return Problem(self.net, self.target)

    @property
    def answers(self) -> Answers:
        """The answers that it has."""
        return kind_of(self.kind).answers(self.text)

    def conclude(self, claims: Sequence[Claim]) -> Conclusion:
        """Return what follows from proved claims."""
        return kind_of(self.kind).conclude(self.net, self.content, claims)

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The places that the question is about without naming them."""
        return kind_of(self.kind).unnamed(self.net, self.text) if self.text else ()

    def __str__(self) -> str:
        if (target := self.shown_target) is not None:
            return str(Problem(self.net, target))
        words = f"\n{printable(self.text)}" if self.text else ""
        return f"{kind_of(self.kind).meaning} ({printable(self.net.name)}){words}"

    def __repr__(self) -> str:
        return f"<Question {self.kind}{': ' if self.text else ''}{printable(self.text)}>"

    def _repr_html_(self) -> str:
        return Shown._repr_html_(self) + self.net._repr_html_()


def make_question(net: Net, kind: str, text: str) -> Question:
    """The question with these words, or those in the file that `@FILE` names.

    Raises:
        QueryError: no such kind, an unreadable file, or words that make no sense.
    """
    return read_question(net, kind, question_text(text))


def read_question(net: Net, kind: str, words: str) -> Question:
    """The same where the words name no file.

    Raises:
        QueryError: no such kind, or words that make no sense.
    """
    member = kind_of(kind)
    _require_colours(net, kind, member.colours)
    content = member.read(net, words)
    if is_target(member):
        content = make_problem(net, content).target
    return Question(net, kind, words, content)


def _require_colours(net: Net, kind: str, needed: Colours) -> None:
    """Refuse a question that is not about such a net.

    Raises:
        QueryError: the net was left with fewer colours than the question needs.
    """
    if net.origin is None or needed == "none":
        return
    from petricheck.coloured.skeleton import Skeleton  # Few nets are coloured.

    if isinstance(net.origin, Skeleton):
        raise QueryError(f"{as_option(kind)} is not asked where tokens have lost their colours")
    if net.origin.merging is not None and needed == "all":
        raise QueryError(f"{as_option(kind)} is not asked where colours are merged with others")


def question_of(net: Net, target: Formula) -> Question:
    """The question whether the target is reachable.

    Raises:
        InputError: the target names something that is not a place.
    """
    return Question(net, "formula", "", make_problem(net, target).target)


def maximum_of(net: Net, term: Term) -> Question:
    """The question after the largest value of a term over places of the net."""
    from petricheck.questions.kinds.bound import expression  # Few questions need it.

    words = term_to_text(summed_term(net, term))
    return Question(net, "bound", words, expression(term))


def plain(net: AnyNet) -> Net:
    """The net, of another library read as one."""
    if isinstance(net, Net):
        return net
    from petricheck.interop.libraries import net_of  # coloured nets take their time

    return net_of(net)


def ask(net: AnyNet, **question: Words) -> Question:
    """A question: `ask(net, target="p1=1, p3=2")`, `ask(net, bound="p1 + p2")`.

    Args:
        net: the net, or anything that `petricheck.load` takes for one but a path.
        question: by keyword, a kind (target, cover, formula, deadlock, bound, safe, …): its words
            as the command line takes them; or tokens by place, `cover={"p1": 1}`; or True where it
            has no words. None and False ask nothing.

    Raises:
        QueryError: not exactly one question, or it makes no sense.
        InputError: the net is none, or of another kind.
    """
    texts = {kind: _text(kind, words) for kind, words in question.items()}
    given = [(kind, text) for kind, text in texts.items() if text is not None]
    if len(given) != 1:
        raise QueryError("ask exactly one question, e.g. target='p1=1' or formula='p1 > p2'")
    ((kind, text),) = given
    return make_question(plain(net), kind, text)


def _text(kind: str, words: Words) -> str | None:
    """The words of a question from Python; None where it is not put.

    Raises:
        QueryError: there is no such kind, or it is not put like this.
    """
    member = kind_of(kind)
    match words:
        case None | False:
            return None
        case str():
            return words
        case True if member.bare:
            return ""
        case Mapping() if (text := member.words(words)) is not None:
            return text
        case _:
            example = f"a text such as {member.example}" if member.example else "True"
            counting = "" if member.words({}) is None else ", or tokens by place"
            given = type(words).__name__
            raise QueryError(f"{kind} is asked with {example}{counting}; this is of type {given}")


def question_text(text: str) -> str:
    """The text itself, or the content of the file that `@FILE` names, at most `MAX_BYTES`.

    Raises:
        QueryError: the file cannot be read, is too large or is no UTF-8 text.
    """
    if not text.startswith("@"):
        # Every character takes a byte or more, so only a text that passes this is encoded.
        if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
            raise QueryError(f"the question is longer than {MAX_BYTES} bytes")
        return text
    return _file_text(text[1:])


def _file_text(path: str) -> str:
    try:
        return content(path, MAX_BYTES).decode("utf-8-sig")
    except InputError as error:
        raise QueryError(
            f"cannot read the question from {path!r}: {error.message.removeprefix(UNREADABLE)}; "
            "after '@' stands the name of a file, so a place whose name begins with '@' is put "
            "between double quotes: '\"@p\" = 1'"
        ) from None
    except UnicodeDecodeError as error:
        message = f"the question in {path!r} is no UTF-8 text: byte {error.start} is wrong"
        raise QueryError(message) from None

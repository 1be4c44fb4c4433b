"""A question about a net: its kind, its words, and its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.claims import Claim
from petricheck.formats.language.sums import summed
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions.kind import (
    Answers,
    Colours,
    Conclusion,
    Reaching,
    is_target,
    kind_names,
    kind_of,
)
from petricheck.support.errors import EvidenceError, InputError, QueryError
from petricheck.support.files import UNREADABLE, content
from petricheck.support.markup import Shown
from petricheck.support.plugins import as_option
from petricheck.support.words import printable, quoted

if TYPE_CHECKING:
    from petricheck.formats.libraries.libraries import AnyNet

MAX_BYTES = 16 << 20
"""The largest question that is read, in bytes of UTF-8."""

Words: TypeAlias = str | bool | Mapping[str, int] | None
"""A question of some kind from Python: its words; True or False for a kind without words; tokens by
place id, where its kind has `words` for them; None for no question.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Question(Shown):
    """A question about a net.

    Attributes:
        net: the net.
        kind: name of a kind.
        text: its words; empty where it has none, or where the target was made of terms.
        content: the meaning of the words, from the kind; a target's is that of `make_problem`.
        earlier: claims about an earlier version of the net, which may hold again; None where no
            earlier evidence is given.
    """

    net: Net
    kind: str
    text: str
    content: Any
    earlier: tuple[Claim, ...] | None = None

    @property
    def target(self) -> Formula | None:
        """The formula whose reachability is the question; None for other questions."""
        return self.content if is_target(kind_of(self.kind)) else None

    @property
    def subject(self) -> Formula | None:
        """The formula that the question is about, a target or a home space; None without one."""
        return self.content if isinstance(self.content, Formula) else None

    @property
    def shown_target(self) -> Formula | None:
        """The target in the names that people see; None for other questions."""
        if self.target is None:
            return None
        return self.net.shown.formula(summed(self.net, self.target))

    @property
    def reached(self) -> bool | None:
        """The answer where a marking in the target is reachable; None for other questions."""
        kind = kind_of(self.kind)
        return kind.reached if isinstance(kind, Reaching) else None

    @property
    def asked(self) -> tuple[str, Formula | None]:
        """The question in a sentence, with the formula it is about in the names that people see.

        None where it is about no target.
        """
        kind = kind_of(self.kind)
        if not isinstance(kind, Reaching):
            return kind.meaning, None
        return kind.asks, self.net.shown.formula(summed(self.net, kind.asked(self.content)))

    @property
    def problem(self) -> Problem:
        """The question as engines take it.

        Raises:
            QueryError: the question is not about one target.
        """
        if self.target is None:
            remedy = "only petricheck itself answers it"
            raise QueryError(f"{as_option(self.kind)} is no question after one target; {remedy}")
        return Problem(self.net, self.target)

    @property
    def answers(self) -> Answers:
        """The possible answers."""
        return kind_of(self.kind).answers(self.text)

    def conclude(self, claims: Sequence[Claim]) -> Conclusion:
        """Return the conclusion from proved claims."""
        return kind_of(self.kind).conclude(self.net, self.content, claims)

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The places that the question is about without naming them."""
        return kind_of(self.kind).unnamed(self.net, self.text) if self.text else ()

    @property
    def numbers_like_places(self) -> tuple[str, ...]:
        """The numbers in its words that are also names of places; they are read as numbers."""
        if not self.text or not kind_of(self.kind).calculates:
            return ()
        # Not at the top: the grammar brings lark, which other questions do not need.
        from petricheck.formats.language.grammar import numbers_like_places

        return numbers_like_places(self.net, self.text)

    def __str__(self) -> str:
        if self.target is not None:
            return str(Problem(self.net, summed(self.net, self.target)))
        words = f"\n{printable(self.text)}" if self.text else ""
        return f"{kind_of(self.kind).meaning} ({printable(self.net.name)}){words}"

    def __repr__(self) -> str:
        return f"<Question {self.kind}{': ' if self.text else ''}{printable(self.text)}>"

    def _repr_html_(self) -> str:
        if self.target is not None:
            return Problem(self.net, summed(self.net, self.target))._repr_html_()
        return Shown._repr_html_(self) + self.net._repr_html_()


def make_question(net: Net, kind: str, text: str) -> Question:
    """Return the question with these words, or those in the file that `@FILE` names.

    QueryError where there is none.
    """
    return read_question(net, kind, question_text(text))


def read_question(net: Net, kind: str, words: str) -> Question:
    """Return the question with these words, which name no file; QueryError where there is none."""
    member = kind_of(kind)
    _require_colours(net, kind, member.colours)
    require_start(net, kind)
    content = member.read(net, words)
    if is_target(member):
        content = make_problem(net, content).target
    return Question(net, kind, words, content)


def _require_colours(net: Net, kind: str, needed: Colours) -> None:
    """Refuse a question that needs more colours than the net was read with, by a QueryError."""
    if net.origin is None or needed == "none":
        return
    if not net.is_unfolded:
        if net.origin.boundless:
            place = quoted(net.shown.place(net.places[net.origin.boundless[0]]))
            raise QueryError(
                f"{as_option(kind)} is not asked of a net with inhibitor arcs or resets of a place "
                f"without a known bound, here {place}; give it a capacity"
            )
        return
    from petricheck.model.coloured.skeleton import Skeleton  # Few nets are coloured.

    if isinstance(net.origin, Skeleton):
        raise QueryError(f"{as_option(kind)} is not asked where tokens have lost their colours")
    if net.origin.merging is not None and needed == "all":
        raise QueryError(f"{as_option(kind)} is not asked where colours are merged with others")


def with_earlier(question: Question, path: str) -> Question:
    """Return the question with the claims of a file, of evidence about an earlier net.

    InputError where the file cannot be read, or is no evidence.
    """
    from petricheck.evidence.files import read_evidence  # Few questions have earlier evidence.

    try:
        return replace(question, earlier=read_evidence(path, question.target).claims)
    except (EvidenceError, QueryError) as error:
        raise InputError(f"the earlier evidence cannot be used: {error}") from None


def require_start(net: Net, kind: str) -> None:
    """Refuse a question that is not asked of so many initial markings, by a QueryError."""
    starts = kind_of(kind).starts
    if net.initials is None or starts == "any":
        return
    if starts == "one":
        asked = ", ".join(as_option(name) for name in kind_names() if kind_of(name).starts != "one")
        raise QueryError(
            f"{as_option(kind)} is not asked of a parametric net, which has several initial "
            f"markings; fix the initial marking, or ask {asked}"
        )
    if not net.initials.is_linear:
        raise QueryError(
            f"{as_option(kind)} is asked where the initial markings are one marking and sums of "
            "periods on top; here they have several alternatives: ask about each by itself"
        )


def question_of(net: Net, target: Formula) -> Question:
    """Return whether the target is reachable, as a question; InputError as by `make_problem`."""
    return Question(net, "formula", "", make_problem(net, target).target)


def plain(net: AnyNet) -> Net:
    """Return the net; one of another library is read."""
    if isinstance(net, Net):
        return net
    from petricheck.formats.libraries.libraries import net_of  # coloured nets take their time

    return net_of(net)


def ask(net: AnyNet, *, initial: str | Formula | None = None, **question: Words) -> Question:
    """Return a question: `ask(net, target="p1=1, p3=2")`, `ask(net, bound="p1 + p2")`.

    Args:
        net: the net, or anything that `petricheck.load` accepts except a path.
        initial: a formula; the question is then about all initial markings that satisfy it.
        question: the kind as keyword (target, cover, formula, deadlock, bound, safe, …). Its value
            is the words as on the command line; or tokens by place, `cover={"p1": 1}`; or True for
            a kind without words. None and False ask nothing.

    Raises:
        QueryError: not exactly one question, or it makes no sense.
        InputError: the net is none, or of another kind.
    """
    plain_net = plain(net)
    if isinstance(initial, str):
        from petricheck.formats.language.initial import read_initial  # lark takes its time

        initial = read_initial(plain_net, initial)
    if initial is not None:
        from petricheck.model.parametric import with_initial  # Few nets have several.

        plain_net = with_initial(plain_net, make_problem(plain_net, initial).target)
    texts = {kind: _text(plain_net, kind, words) for kind, words in question.items()}
    pairs = [(kind, text) for kind, text in texts.items() if text is not None]
    if len(pairs) != 1:
        raise QueryError("ask exactly one question, e.g. target='p1=1' or formula='p1 > p2'")
    ((kind, text),) = pairs
    return make_question(plain_net, kind, text)


def _text(net: Net, kind: str, words: Words) -> str | None:
    """Return the words of a question from Python; None for no question."""
    member = kind_of(kind)
    match words:
        case None | False:
            return None
        case str():
            return words
        case True if member.bare:
            return ""
        case Mapping() if (text := member.words(_named(net, words))) is not None:
            return text
        case _:
            example = f"a text such as {member.example}" if member.example else "True"
            counting = "" if member.words({}) is None else ", or tokens by place"
            type_name = type(words).__name__
            raise QueryError(
                f"{kind} is asked with {example}{counting}; this is of type {type_name}"
            )


def _named(net: Net, tokens: Mapping[str, int]) -> Mapping[str, int]:
    """Return the tokens by shown names, where they are by place id."""
    shown = net.shown.place
    return {shown(p) if isinstance(p, str) else p: number for p, number in tokens.items()}


def question_text(text: str) -> str:
    """Return the text, or the content of the file that `@FILE` names, at most `MAX_BYTES`.

    QueryError where the file cannot be read, is too large or is no UTF-8 text.
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

"""The renderers of explanations as lines of text and as JSON.

Lines cut what is long, and count what they omit. In JSON a node is an object whose first key is
its kind; sentences and formulas are whole, and long integers are hexadecimal strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import LONG
from petricheck.arithmetic.formulas.layout import Leaf
from petricheck.arithmetic.formulas.shown import shown_formula, shown_name
from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import term_to_text
from petricheck.evidence import explanation
from petricheck.evidence.answer import step_text
from petricheck.evidence.explanation import Id, SentenceList, Words
from petricheck.support.words import counted, listed, number_text, printable, shortened

CHARACTERS = 400
"""Characters up to which evidence, or a formula in a sentence, is shown whole."""

CASES, PARTS = 8, 20
"""Greatest numbers of sections, and of entries of a list, that are shown."""

HEAD, TAIL = 10, 5
"""Steps shown of a long trace, at its beginning and at its end."""


@dataclass(frozen=True, slots=True)
class Style:
    """The parts of an explanation that are shown whole.

    Attributes:
        traces: whether long traces, and the markings in which they end, are shown whole.
        form: the form of whole certificates: text, latex or smt; None abbreviates them.
        hints: whether to name the option of the command that shows an abbreviated part whole.
    """

    traces: bool = False
    form: str | None = None
    hints: bool = True

    @property
    def whole(self) -> bool:
        """Return whether long formulas and lists in sentences are shown whole."""
        return self.traces or self.form is not None


BRIEF = Style(hints=False)
"""The style where no option shows more."""


def claim_lines(explained: explanation.Explained, style: Style) -> Iterator[str]:
    """Yield the lines of the claim and its evidence."""
    if explained.says:
        yield sentence(explained.says, whole=style.whole)
    yield from _nodes(explained.evidence, style)


def explained_lines(explained: explanation.Explained) -> Iterator[str]:
    """Yield the lines of the claim, its evidence and the reasons."""
    yield from claim_lines(explained, BRIEF)
    yield from _nodes(explained.reasons, BRIEF)


def sentence(words: Words, *, whole: bool = False) -> str:
    """Return the words on one line; long values are cut unless `whole`."""
    return "".join(word if isinstance(word, str) else _word(word, whole) for word in words)


def _word(word: int | Formula | Leaf | Term | Id | SentenceList, whole: bool) -> str:
    match word:
        case Id(name):
            return shown_name(name)
        case SentenceList(items, most, noun, separator):
            write = partial(sentence, whole=whole)
            return listed(items, len(items) if whole else most, write, noun, separator)
        case int():
            text = number_text(word)
        case Term():
            text = printable(term_to_text(word))
        case _:
            text = shown_formula(word)
    return text if whole or len(text) <= CHARACTERS else f"{text[:CHARACTERS]} …"


def _nodes(nodes: Iterable[explanation.Node], style: Style) -> Iterator[str]:
    sections = 0
    for node in nodes:
        sections += isinstance(node, explanation.Section)
        if sections <= CASES:
            yield from _node(node, style)
    if sections > CASES:
        yield f"… and {counted(sections - CASES, 'more case')}; the evidence has all."


def _node(node: explanation.Node, style: Style) -> Iterator[str]:
    match node:
        case explanation.Line(words, _, inner, hint):
            text = sentence(words, whole=style.whole)
            suffix = f" ({hint})" if hint and style.hints and not style.traces else ""
            yield f"{'  ' if inner else ''}{text}{suffix}"
        case explanation.Items(items, noun, numbered):
            heads = (f"{n}. " if numbered else "" for n in range(1, len(items) + 1))
            yield from _listed([*zip(heads, items, strict=True)], _item, noun)
        case explanation.FiringList():
            yield from _firings(node, style)
        case explanation.Stated():
            yield from _stated(node, style)
        case explanation.Steps():
            yield from _steps(node, style)
        case explanation.PlaceTable(title, _, rows):
            yield title
            yield from _listed(rows, _row, "place")
        case explanation.Section(title, nodes):
            yield sentence(title)
            for part in nodes:
                indent = "  " if isinstance(part, explanation.Line) else ""
                yield from (f"{indent}{line}" for line in _node(part, style))


def _listed(entries: Sequence[Any], write: Callable[[Any], str], noun: str) -> Iterator[str]:
    """Yield the first entries, indented; an entry may have several lines."""
    for entry in shortened(entries, PARTS, write, noun):
        yield from (f"  {line}" for line in entry.split("\n"))


def _firings(node: explanation.FiringList, style: Style) -> Iterator[str]:
    label = f"{node.label}: " if node.label else ""
    text = _steps_text(node.steps)
    if style.traces or len(node.steps) <= HEAD + TAIL or len(text) <= CHARACTERS:
        yield f"  {label}{text}"
        return
    yield f"  {label}{_steps_text(node.steps[:HEAD])} … {_steps_text(node.steps[-TAIL:])}"
    if style.hints:
        yield "(--trace shows it whole)"


def _steps_text(steps: Sequence[tuple[str, int]]) -> str:
    return " ".join(map(step_text, steps))


def _stated(node: explanation.Stated, style: Style) -> Iterator[str]:
    description = node.describe(style.form or "text")
    if style.form is None and len(description.body.strip()) > CHARACTERS:
        yield from map(printable, description.summary.splitlines())
        if style.hints:
            yield "(--invariant shows it whole)"
        return
    yield from filter(None, (description.headline, *description.body.splitlines()))


def _item(item: tuple[str, tuple[Words, ...]]) -> str:
    number, (head, *notes) = item
    note = f"\n   {'; '.join(map(sentence, notes))}" if notes else ""
    return f"{number}{sentence(head)}{note}"


def _steps(node: explanation.Steps, style: Style) -> Iterator[str]:
    yield "Step by step:"
    lines = [_step(node, step) for step in node.steps]
    if not style.traces and len(lines) > HEAD + TAIL:
        lines[HEAD:-TAIL] = [f"  … and {counted(node.total - HEAD - TAIL, 'more step')}"]
    yield from lines


def _step(node: explanation.Steps, step: explanation.TraceStep) -> str:
    def change(entry: tuple[int, int, int]) -> str:
        place, before, after = entry
        name = shown_name(node.names.place(node.net.places[place]))
        return f"{name} {number_text(before)} → {number_text(after)}"

    changes = listed(step.changes, PARTS, change, "place")
    if step.fires is None:
        return f"  … {counted(step.times, 'step')}: {changes}"
    times = f" × {number_text(step.times)}" if step.times > 1 else ""
    fired = shown_name(node.names.transition(step.fires))
    return f"  {step.number}. {fired}{times}: {changes or 'no change'}"


def _row(row: tuple[str, tuple[int, ...]]) -> str:
    place, numbers = row
    return f"{shown_name(place)}: {', '.join(map(number_text, numbers))}"


_whole = partial(sentence, whole=True)


def plain(explained: explanation.Explained) -> dict[str, Any]:
    """Return the claim, its evidence and the reasons as a JSON object."""
    return {
        "says": _whole(explained.says),
        "evidence": list(map(_plain_node, explained.evidence)),
        "reasons": list(map(_plain_node, explained.reasons)),
    }


def _plain_node(node: explanation.Node) -> dict[str, Any]:
    match node:
        case explanation.Line(words):
            return {"line": _whole(words)}
        case explanation.Items(items, noun):
            listed = [[_whole(words) for words in item] for item in items]
            return {"items": listed, "total": len(items), "noun": noun}
        case explanation.FiringList(steps, label):
            return {"firings": [[name, _integer(times)] for name, times in steps], "label": label}
        case explanation.Stated():
            description = node.describe("text")
            return {"stated": [description.headline, *description.body.splitlines()]}
        case explanation.Steps():
            return {"steps": [_plain_step(node, step) for step in node.steps], "total": node.total}
        case explanation.PlaceTable(title, heads, rows):
            entries = ((place, *map(_integer, numbers)) for place, numbers in rows)
            return {"table": title, "rows": [dict(zip(heads, row, strict=True)) for row in entries]}
        case explanation.Section(title, nodes):
            return {"section": _whole(title), "nodes": list(map(_plain_node, nodes))}


def _plain_step(node: explanation.Steps, step: explanation.TraceStep) -> dict[str, Any]:
    """Return a step; its transition is null if it stands for omitted steps."""
    places = node.net.places
    changes = {places[p]: [_integer(before), _integer(after)] for p, before, after in step.changes}
    fired = {"step": step.number, "fires": step.fires, "times": _integer(step.times)}
    return fired | {"changes": changes}


def _integer(value: int) -> int | str:
    return value if value.bit_length() <= LONG else hex(value)

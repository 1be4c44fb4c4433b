"""An explanation as lines of text; what is long is cut, and the rest counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from petricheck.explanation.tree import (
    Changes,
    Explained,
    Final,
    Firings,
    GivenNames,
    Ids,
    Items,
    Line,
    Node,
    Part,
    Parts,
    Section,
    Several,
    Stated,
    Step,
    Steps,
    Words,
)
from petricheck.notations import notation_of
from petricheck.presburger.formulas import Formula
from petricheck.presburger.shown import shown_formula, shown_name
from petricheck.presburger.terms import Term
from petricheck.presburger.text import Leaf, quoted_name, term_to_text
from petricheck.words import counted, number_text, printable

CHARACTERS = 400
"""Longer evidence is abbreviated, and longer formulas in a sentence are cut."""

CASES, PARTS, NAMES = 8, 20, 12
"""Sections, entries of a list, and names in a sentence that are shown at the most."""

HEAD, TAIL = 10, 5
"""Steps shown of a long trace, at its beginning and end."""

NAME = 40
"""Letters of the names that people gave which are shown."""


@dataclass(frozen=True, slots=True)
class Style:
    """What is told whole.

    Attributes:
        traces: whether long traces and the markings that they end in are.
        form: how certificates are written whole: text, latex or smt; None abbreviates them.
        hints: whether to say which option of the command shows it whole.
    """

    traces: bool = False
    form: str | None = None
    hints: bool = True


BRIEF = Style(hints=False)
"""Where no option shows more."""


def claim_lines(explained: Explained, style: Style) -> Iterator[str]:
    """The claim and its evidence, as a command tells it."""
    if explained.says:
        yield sentence(explained.says, whole=style.traces or style.form is not None)
    yield from _nodes(explained.evidence, style)


def explained_lines(explained: Explained, style: Style = BRIEF) -> Iterator[str]:
    """The same, and why the evidence is evidence."""
    yield from claim_lines(explained, style)
    yield from _nodes(explained.reasons, style)


def sentence(words: Words, *, whole: bool = False) -> str:
    """The words on one line; what is long in them is cut, unless they are to be whole."""
    return "".join(word if isinstance(word, str) else _word(word, whole) for word in words)


def _word(word: int | Formula | Leaf | Term | Ids | Several, whole: bool) -> str:
    match word:
        case int():
            text = number_text(word)
        case Term():
            text = printable(term_to_text(word))
        case Ids(ids):
            shown = ", ".join(map(shown_name, ids if whole else ids[:NAMES]))
            return shown if whole or len(ids) <= NAMES else f"{shown} and {len(ids) - NAMES} more"
        case Several(items):
            text = "; ".join(_word(item, whole) for item in items)
        case _:
            text = shown_formula(word)
    return text if whole or len(text) <= CHARACTERS else f"{text[:CHARACTERS]} …"


def _nodes(nodes: Iterable[Node], style: Style) -> Iterator[str]:
    sections = 0
    for node in nodes:
        sections += isinstance(node, Section)
        if sections <= CASES:
            yield from _node(node, style)
    if sections > CASES:
        yield f"… and {counted(sections - CASES, 'more case')}; the evidence has all."


def _node(node: Node, style: Style) -> Iterator[str]:
    match node:
        case Line(words):
            yield sentence(words)
        case Items(items, total, noun):
            yield from _listed((f"  {sentence(words)}" for words in items), total, noun)
        case Firings():
            yield from _firings(node, style)
        case Stated():
            yield from _stated(node, style)
        case Final():
            yield f"  {_final(node, style)}"
        case Parts(parts):
            lines = (f"  {n}. {_part(part)}" for n, part in enumerate(parts, start=1))
            yield from _listed(lines, len(parts), "part")
        case Steps():
            yield from _steps(node, style)
        case Changes(rows):
            changed = f"The trace changes {counted(len(rows), 'place')}"
            yield f"{changed}; tokens before, at most, and after it:"
            yield from _listed(map(_change, rows), len(rows), "place")
        case GivenNames(names):
            yield _given(names, whole=style.traces)
        case Section(title, nodes):
            yield sentence(title)
            for inner in nodes:
                indent = "  " if isinstance(inner, Line) else ""
                yield from (f"{indent}{line}" for line in _node(inner, style))


def _listed(entries: Iterable[str], total: int, noun: str) -> Iterator[str]:
    """The first entries, each of one line or more."""
    shown = [entry for entry, _ in zip(entries, range(PARTS), strict=False)]
    for entry in shown:
        yield from entry.split("\n")
    if total > len(shown):
        yield f"  … and {counted(total - len(shown), f'more {noun}')}"


def _firings(node: Firings, style: Style) -> Iterator[str]:
    label = f"{node.label}: " if node.label else ""
    whole = _fired(node.steps)
    if style.traces or len(node.steps) <= HEAD + TAIL or len(whole) <= CHARACTERS:
        yield f"  {label}{whole}"
        return
    yield f"  {label}{_fired(node.steps[:HEAD])} … {_fired(node.steps[-TAIL:])}"
    if style.hints:
        yield "(--trace shows it whole)"


def _fired(steps: Sequence[tuple[str, int]]) -> str:
    return " ".join(
        shown_name(name) + (f"^{number_text(times)}" if times > 1 else "") for name, times in steps
    )


def _stated(node: Stated, style: Style) -> Iterator[str]:
    told = notation_of(node.certificate).told(node.certificate, style.form or "text")
    if style.form is None and len(told.body.strip()) > CHARACTERS:
        yield from map(printable, told.summary.splitlines())
        if style.hints:
            yield "(--invariant shows it whole)"
        return
    yield from (line for line in (told.headline, *told.body.splitlines()) if line)
    if names := tuple((place, node.names[place]) for place in told.places if place in node.names):
        yield _given(names, whole=style.form is not None)


def _final(node: Final, style: Style) -> str:
    if style.traces or not node.places:
        if not node.marked:
            return "no place has a token"
        rest = "" if len(node.marked) == node.places else "; the other places are empty"
        return _tokens(node.marked) + rest
    notable = (*(node.named if len(node.named) <= PARTS else ()), *node.changed)
    if len(notable) > PARTS:
        hint = " (--trace shows all)" if style.hints else ""
        return f"{_tokens(notable[:PARTS])} and {counted(len(notable) - PARTS, 'more place')}{hint}"
    if len(notable) == node.places:
        return _tokens(notable)
    return (
        f"{_tokens(notable)}; the other places as initially"
        if notable
        else "the places as initially"
    )


def _tokens(marking: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{shown_name(place)} = {number_text(held)}" for place, held in marking)


def _part(part: Part) -> str:
    told = [*map(sentence, (*part.meanings, part.initially)), *filter(None, (part.origin,))]
    return f"{sentence((part.says,))}\n     {'; '.join(told)}"


def _steps(node: Steps, style: Style) -> Iterator[str]:
    yield "Step by step:"
    steps = node.steps
    if style.traces or len(steps) <= HEAD + TAIL:
        yield from (_step(node, step) for step in steps)
        return
    yield from (_step(node, step) for step in steps[:HEAD])
    yield f"  … and {counted(node.total - HEAD - TAIL, 'more step')}"
    yield from (_step(node, step) for step in steps[-TAIL:])


def _step(node: Steps, step: Step) -> str:
    changes = ", ".join(
        f"{shown_name(node.net.places[place])} {number_text(before)} → {number_text(after)}"
        for place, before, after in step.changes[:PARTS]
    )
    if len(step.changes) > PARTS:
        changes += f" and {counted(len(step.changes) - PARTS, 'more place')}"
    if step.fires is None:
        return f"  … {counted(step.times, 'step')}: {changes}"
    times = f" × {number_text(step.times)}" if step.times > 1 else ""
    return f"  {step.number}. {shown_name(step.fires)}{times}: {changes or 'no change'}"


def _change(row: tuple[str, int, int, int]) -> str:
    place, *numbers = row
    return f"  {shown_name(place)}: {', '.join(map(number_text, numbers))}"


def _given(names: Sequence[tuple[str, str]], whole: bool) -> str:
    shown = names if whole else names[:NAMES]
    parts = [f"{shown_name(id_)} is {_quoted(name)}" for id_, name in shown]
    if len(names) > len(shown):
        parts.append(f"and {counted(len(names) - len(shown), 'more name')}")
    return f"Names: {', '.join(parts)}."


def _quoted(name: str) -> str:
    return quoted_name(name if len(name) <= NAME else f"{name[:NAME]}…")

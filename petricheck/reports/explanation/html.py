"""The renderer of explanations as HTML without scripts; formulas are typeset.

Texts are escaped. Elements have classes, for which the page has styles. Each change of tokens has
the number of its place as an attribute, so that a script can show the marking in a drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from petricheck.arithmetic.formulas.formulas import Formula, atoms
from petricheck.arithmetic.formulas.layout import (
    Comparison,
    Language,
    Leaf,
    Remainder,
    Signs,
    laid_out,
)
from petricheck.arithmetic.formulas.shown import shown_formula
from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import name_to_text, term_to_text
from petricheck.evidence import explanation
from petricheck.evidence.explanation import Id, SentenceList, Words
from petricheck.model.net import Net
from petricheck.reports.explanation.model import model_number, model_places, place_tokens
from petricheck.support.words import counted, listed, number_text, printable, shortened

LISTED = 60
"""Names, formulas or places shown of a list; the others are counted."""

COLUMNS = 16
"""Places up to which a table of markings has a column for each; beyond, it lists changes."""

COLOURS = 12
"""Colours shown of a place in a table of markings; the others are counted."""

CELLS = 500_000
"""Steps times colours up to which a table of markings has a column for each place."""

STEPS = 300
"""Steps of a trace shown on one line; the table has more."""

LETTERS = 20_000
"""Letters shown of a certificate's text, and of a formula that is not typeset."""

TYPESET = 4_000
"""Summands and bounds up to which a formula is typeset; a longer one is plain text, cut."""

DIGITS = 40
"""Digits up to which a number is whole; of a longer one the first and the last are shown."""

_RELATIONS = {"<=": "≤", ">=": "≥", "=": "=", "!=": "≠"}


def claim_html(explained: explanation.Explained) -> str:
    """Return the claim, its evidence and the reasons."""
    says = f"<h3>{words_html(explained.says)}</h3>" if explained.says else ""
    return says + nodes_html((*explained.evidence, *explained.reasons))


def nodes_html(nodes: Iterable[explanation.Node]) -> str:
    """Return the nodes, one below the other."""
    return "".join(map(_node, nodes))


def words_html(words: Words) -> str:
    """Return a sentence."""
    return "".join(map(_word, words))


def _word(word: object) -> str:
    match word:
        case str():
            return escape(word)
        case int():
            return number_html(word)
        case Term():
            return term_html(word)
        case Id(name):
            return name_html(name)
        case SentenceList(items, _, noun, separator):
            return listed(items, LISTED, words_html, noun, separator)
        case _:
            return formula_html(word)  # type: ignore[arg-type]  # nothing else is left


def _node(node: explanation.Node) -> str:
    match node:
        case explanation.Line(words, quiet):
            return f"<p{' class=note' if quiet else ''}>{words_html(words)}</p>"
        case explanation.Items():
            return _items(node)
        case explanation.FiringList(steps, label):
            firings = " ".join(filter(None, (label, *shortened(steps, STEPS, _step_html, "step"))))
            return f'<p class="fires">{firings}</p>'
        case explanation.Stated():
            return _stated(node)
        case explanation.Steps():
            return _steps(node)
        case explanation.PlaceTable():
            return _table_html(node)
        case explanation.Section(title, nodes):
            return (
                f'<section class="case"><h4>{words_html(title)}</h4>{nodes_html(nodes)}</section>'
            )


def _items(node: explanation.Items) -> str:
    kind = "ol" if node.numbered else "ul"
    items = (f"<li>{item}</li>" for item in shortened(node.items, LISTED, _item, node.noun))
    return f'<{kind} class="facts">{"".join(items)}</{kind}>'


def _item(item: tuple[Words, ...]) -> str:
    head, *notes = map(words_html, item)
    note = f'<div class="note">{"; ".join(notes)}</div>' if notes else ""
    return head + note


def _step_html(step: tuple[str, int]) -> str:
    name, times = step
    written = name_to_text(name) if " " in name else name  # Blanks are between firings, too.
    return name_html(written) + (f"<sup>{number_html(times)}</sup>" if times > 1 else "")


def _stated(node: explanation.Stated) -> str:
    description = node.describe("text")
    head = f"<p>{escape(printable(description.headline))}</p>"
    if description.formula is not None:
        return f'{head}<div class="formula">{formula_html(description.formula)}</div>'
    long = len(description.body) > LETTERS
    body = "\n".join(
        map(printable, (description.summary if long else description.body).splitlines())
    )
    return head + (f"<pre>{escape(body)}</pre>" if body else "")


def _table(kind: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    """Return a table; `heads` are text, `rows` are HTML."""
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


class _Markings:
    """The current marking while steps are replayed, in the places of the model."""

    def __init__(self, net: Net) -> None:
        self._net, self.names, self._tokens = net, list(model_places(net)), list(net.initial)
        places = list(model_places(net).values())
        self.columns = {place: column for column, numbers in enumerate(places) for place in numbers}
        self._totals = [sum(net.initial[place] for place in numbers) for numbers in places]
        self.sizes = list(map(len, places))

    def set(self, changes: Iterable[tuple[int, int, int]]) -> set[int]:
        """Apply the changes of a step; return the columns of the changed places."""
        for place, before, after in changes:
            self._tokens[place] = after
            self._totals[self.columns[place]] += after - before
        return {self.columns[place] for place, before, after in changes if before != after}

    def cell(self, column: int) -> str:
        """Return the tokens of the place in this column."""
        match place_tokens(self._net, self.names[column], self._tokens):
            case (before, SentenceList(colours), after):
                return f"{before}{listed(colours, COLOURS, words_html)}{after}"
            case words:
                return words_html(words)

    def data(self, column: int) -> str:
        """Return attributes for scripts: the place's number, and its tokens if it has colours."""
        total = f' data-n="{number_text(self._totals[column])}"' if self._net.origin else ""
        return f' data-p="{column}"{total}'


def _steps(node: explanation.Steps) -> str:
    """Return a table of the markings after the steps, or of the changes if it were too large."""
    net, markings = node.net, _Markings(node.net)
    columns = sorted({markings.columns[place] for place in node.places})
    work = len(node.steps) * sum(markings.sizes[column] for column in columns)
    matrix = len(columns) <= COLUMNS and work <= CELLS
    cells = {column: markings.cell(column) for column in columns if matrix}
    shown = node.names.place
    marked = ((Id(shown(net.places[p])), " = ", n) for p in node.places if (n := net.initial[p]))
    first = _cells(cells, {}) if matrix else f"<td>{_word(SentenceList(tuple(marked)))}</td>"
    rows = [f'<tr class="start"><td>0</td><td>initially</td>{first}</tr>']
    for step in node.steps:
        changes = {column: markings.data(column) for column in markings.set(step.changes)}
        cells |= {column: markings.cell(column) for column in changes if matrix}
        cells_text = _cells(cells, changes) if matrix else _changes(node, step, markings)
        rows.append(_step(node, step, cells_text))
    heads = (
        [name_html(shown(markings.names[column])) for column in columns] if matrix else ["Changes"]
    )
    table = _table("trace", ("Step", "Fires", *heads), rows)
    return f'<div class="steps" data-total="{node.total}">{table}</div>'


def _step(node: explanation.Steps, step: explanation.TraceStep, cells: str) -> str:
    if step.fires is None:
        fired, number = f"<td>{counted(step.times, 'step')} left out</td>", ""
    else:
        times = f" × {number_html(step.times)}" if step.times > 1 else ""
        fired = f'<td class="fires">{name_html(node.names.transition(step.fires))}{times}</td>'
        number = f' data-t="{model_number(node.net, step.fires)}"'
    return f"<tr{number}><td>{step.number}</td>{fired}{cells}</tr>"


def _changes(node: explanation.Steps, step: explanation.TraceStep, markings: _Markings) -> str:
    places = node.net.places
    changes = (
        f"<span>{name_html(node.names.place(places[p]))} {number_html(before)} → "
        f"<b{markings.data(markings.columns[p])}>{number_html(after)}</b></span>"
        for p, before, after in step.changes
    )
    return f'<td class="changes">{", ".join(changes)}</td>'


def _cells(cells: Mapping[int, str], changed: Mapping[int, str]) -> str:
    return "".join(
        f'<td class="moved"{changed[column]}>{content}</td>'
        if column in changed
        else f"<td>{content}</td>"
        for column, content in cells.items()
    )


def _table_html(node: explanation.PlaceTable) -> str:
    rows = (
        "".join(("<tr><td>", name_html(place), *(f"</td><td>{number_html(n)}" for n in numbers)))
        for place, numbers in node.rows[:LISTED]
    )
    note = "".join(shortened(node.rows[LISTED:], 0, str, "place"))
    table = _table("tokens", node.heads, rows) + (f'<p class="note">{note}</p>' if note else "")
    return f"<details><summary>{node.title.removesuffix(':')}</summary>{table}</details>"


def formula_html(formula: Formula | Leaf) -> str:
    """Return the formula."""
    if isinstance(formula, Formula) and _length(formula) > TYPESET:
        text = shown_formula(formula)
        return f"<code>{escape(text if len(text) <= LETTERS else f'{text[:LETTERS]} …')}</code>"
    return laid_out(formula, _LANGUAGE)


def _length(formula: Formula) -> int:
    return sum(len(atom.term.coefficients) + 1 for atom in atoms(formula))


def name_html(name: str) -> str:
    """Return an id: a letter with its number as a subscript, or in monospaced letters."""
    if split := re.fullmatch(r"([A-Za-z])_?([0-9]+)", name):
        return f"<var>{split[1]}<sub>{split[2]}</sub></var>"
    return f'<span class="ids">{escape(printable(name))}</span>'


def number_html(value: int) -> str:
    """Return an integer, shortened if it is long."""
    text = number_text(abs(value))
    if len(text) > DIGITS:
        text = f"{text[:12]}…{text[-6:]} ({len(text)} digits)"
    return f"−{text}" if value < 0 else text


def term_html(term: Term) -> str:
    """Return the term, variables in natural order and the constant last."""
    return term_to_text(term, _scaled, number_html, "−")


def _scaled(name: str, factor: int) -> str:
    name_text = name_html(name)
    return name_text if factor == 1 else f"{number_html(factor)}\u202f{name_text}"


def _leaf(leaf: Leaf) -> str:
    match leaf:
        case Comparison(left, relation, right):
            return _atom(f"{term_html(left)} {_RELATIONS[relation]} {term_html(right)}")
        case Remainder(left, modulus, relation, residue):
            sign = "≡" if relation == "=" else "≢"
            of = f"{sign} {number_html(residue)} (mod {number_html(modulus)})"
            return _atom(f"{term_html(left)} {of}")


def _atom(inside: str) -> str:
    return f'<span class="atom">{inside}</span>'


def _signs(word: str, enclosed: bool) -> Signs:
    sign, operand = "∧" if word == "and" else "∨", '<span class="operand">'
    before, after = "()" if enclosed else ("", "")
    return (
        f'<span class="{word}">{before}{operand}',
        f'</span>{operand}<span class="sign"> {sign} </span>',
        f"</span>{after}</span>",
    )


_LANGUAGE = Language(_leaf, _signs, ("¬ (", ")"), _atom("⊤"), _atom("⊥"))

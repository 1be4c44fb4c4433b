"""An explanation as what JSON can hold: an object for each node, whose first key says which it is.

Sentences and formulas are texts, whole; long integers are in hexadecimal, as in evidence files.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from petricheck.explanation import tree
from petricheck.explanation.text import sentence
from petricheck.notations import notation_of
from petricheck.presburger.json import LONG

_text = partial(sentence, whole=True)


def plain(explained: tree.Explained) -> dict[str, Any]:
    """What is claimed, its evidence, and why it is that."""
    return {
        "says": _text(explained.says),
        "evidence": list(map(_node, explained.evidence)),
        "reasons": list(map(_node, explained.reasons)),
    }


def _node(node: tree.Node) -> dict[str, Any]:
    match node:
        case tree.Line(words):
            return {"line": _text(words)}
        case tree.Items(items, noun):
            listed = [[_text(words) for words in item] for item in items]
            return {"items": listed, "total": len(items), "noun": noun}
        case tree.Firings(steps, label):
            return {"firings": [[name, _integer(times)] for name, times in steps], "label": label}
        case tree.Stated(certificate):
            told = notation_of(certificate).told(certificate, "text")
            return {"stated": [told.headline, *told.body.splitlines()]}
        case tree.Steps():
            return {"steps": [_step(node, step) for step in node.steps], "total": node.total}
        case tree.Table(title, heads, rows):
            entries = ((place, *map(_integer, numbers)) for place, numbers in rows)
            return {"table": title, "rows": [dict(zip(heads, row, strict=True)) for row in entries]}
        case tree.Section(title, nodes):
            return {"section": _text(title), "nodes": list(map(_node, nodes))}


def _step(node: tree.Steps, step: tree.Step) -> dict[str, Any]:
    """A step, or with null for the transition how many are left out."""
    places = node.net.places
    changes = {places[p]: [_integer(before), _integer(after)] for p, before, after in step.changes}
    fired = {"step": step.number, "fires": step.fires, "times": _integer(step.times)}
    return fired | {"changes": changes}


def _integer(value: int) -> int | str:
    return value if value.bit_length() <= LONG else hex(value)

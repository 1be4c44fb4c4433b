"""Firing sequences as users write them, and the traces of petricheck, TAPAAL and Tina.

Text is a list of transitions, each with how often it fires in a row behind `^` or `*`: `t1 t2^3`.
Blanks, commas and new lines separate them, and `#` begins a comment; so do scenarios of Tina
(`.scn`), where `{odd name}` is a name. Odd names are put in double quotes. What begins with `[` or
`{"` is JSON: a list of transitions, each an id or [id, how often]; or evidence, or an answer, which
has one trace. XML is a `<trace>` of TAPAAL, maybe with the lines that its engines print around it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from petricheck.arithmetic.formulas.text import COLOURED_NAME, QUOTED, name_of
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import TRACE
from petricheck.formats.language.elements import GAP, Names, names_of, number
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.model.net import Net
from petricheck.support.errors import EvidenceError, InputError, QueryError
from petricheck.support.words import quoted

_STEP = (
    rf"(?P<name>{COLOURED_NAME}(?![^\s,\"#^*])|{QUOTED}|\{{[^{{}}]*\}}|[^\s,\"#^*{{}}]+)"
    rf"(?:\s*[\^*]\s*(?P<times>[0-9]+))?{GAP}"
)

_JSON = re.compile(r'\s*(?:\[|\{\s*")')
_TRACES = ("trace", "after")
"""The keys of claims that have a trace."""

_TEXTLESS = ("loop", "deadlock", "token")
"""Elements of TAPAAL beside transitions, which say nothing of what fires."""


def read_trace(net: Net, text: str) -> Trace:
    """Return the sequence, with ids of transitions, or bindings of a coloured net.

    QueryError where it is no sequence of firings of the net; of text it points at the character.
    """
    if _JSON.match(text):
        names = Names(net, ids_first=True)
        return Trace(tuple((names.firing(name), times) for name, times in _json_steps(text)))
    if (start := re.search(r"<trace\b", text)) is not None:
        names = Names(net, ids_first=True)
        return Trace(tuple((names.firing(name), 1) for name in _xml_transitions(text, start)))
    return Trace(tuple(_text_steps(names_of(net), text)))


def _text_steps(names: Names, text: str) -> Iterator[tuple[str, int]]:
    """Yield the steps of a text; QueryError also where there is none."""
    gap, step = re.match(GAP, text), re.compile(_STEP, re.DOTALL)
    position = gap.end() if gap else 0
    if position == len(text):
        raise QueryError("no transition is named; name one, as in 't1 t2^3'", text=text, position=0)
    while position < len(text):
        if text[position] == "…":
            message = "the sequence was shortened where it was printed; --trace prints all of it"
            raise QueryError(message, text=text, position=position)
        match = step.match(text, position)
        if match is None:
            message = "expected the name of a transition, maybe with ^ and a number behind it"
            raise QueryError(message, text=text, position=position)
        name, times = match["name"], 1
        if match["times"] and not (times := number(match["times"], text, match.start("times"))):
            message = "a transition fires once or more often"
            raise QueryError(message, text=text, position=match.start("times"))
        name = name[1:-1] if name.startswith("{") else name_of(name, text, position)
        yield names.firing(name, text, position), times
        position = match.end()


def _json_steps(text: str) -> tuple[tuple[str, int], ...]:
    """Return the steps of a list, or of the one trace in an object of JSON."""
    try:
        value = json.loads(text)
        if isinstance(value, dict):
            traces = [*_traces(value)]
            if len(traces) != 1:
                has = f"{len(traces)} traces" if traces else "no trace"
                raise QueryError(f"the object of JSON has {has}; give a list of transitions")
            (value,) = traces
        steps = [[step, 1] if isinstance(step, str) else step for step in value]
        trace = TRACE.read(steps)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"the sequence is not readable as JSON: {error}") from None
    except EvidenceError as error:
        raise QueryError(f"the sequence is no list of [transition, how often]: {error}") from None
    if any(times < 1 for _, times in trace.steps):
        raise QueryError("a transition fires once or more often")
    return trace.steps


def _traces(value: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield the traces of an answer, of evidence or of a claim."""
    for key in ("evidence", *_TRACES):
        match value.get(key):
            case dict() as evidence:
                yield from _traces(evidence)
            case list() as trace:
                yield trace
    for claim in value.get("claims") or ():
        if isinstance(claim, dict):
            yield from _traces(claim)


def _xml_transitions(text: str, start: re.Match[str]) -> list[str]:
    """Return the ids of the transitions of a trace of TAPAAL."""
    ids, end = list[str](), text.rfind("</trace>")
    document = text[start.start() : end + len("</trace>")] if end > 0 else text[start.start() :]

    def begin(name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "transition" and "id" in attributes:
            ids.append(attributes["id"])
        elif tag not in ("trace", *_TEXTLESS):
            raise scanner.error(
                f"<{quoted(tag)[1:-1]}> in a trace of TAPAAL is not supported; its net has "
                "neither time nor colours"
            )

    scanner = XmlScanner("")
    try:
        scanner.run([document.encode()], begin, lambda _: None, lambda _: None)
    except InputError as error:
        raise QueryError(f"the trace in XML: {error}") from None
    return ids

"""What ought to be the same in two runs that are compared, and is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from petricheck.batch.cells import Record
from petricheck.batch.questions.index import Question


def differences(
    pairs: Sequence[tuple[Record, Record]], before: Iterable[Record], after: Iterable[Record]
) -> tuple[str, ...]:
    """A line for each.

    Args:
        pairs: the cells that are in both runs.
        before: all cells of the first.
        after: all cells of the second.
    """
    said = [
        f"{cells(number)} of both: {what}"
        for what, of in _DIFFERENT.items()
        if (number := sum(of(one) != of(other) for one, other in pairs))
    ]
    first, second = _surroundings(before), _surroundings(after)
    for what in sorted(first.keys() | second.keys()):
        old, new = first.get(what, "none"), second.get(what, "none")
        if old != new:
            said.append(f"{what}: {old} before, {new} after")
    return tuple(said)


_DIFFERENT: Mapping[str, Callable[[Record], object]] = {
    "the net is another": lambda record: record.net_sha256,
    "the question is another": lambda record: _asked(record.cell.question),
    "another verdict is expected": lambda record: record.cell.question.expected,
    "the configuration of that name is another": lambda r: r.cell.configuration.definition,
    "other limits": lambda record: record.cell.limits,
}
"""What ought to be the same of a cell in both runs."""


def _asked(question: Question) -> tuple[str, str, str]:
    return question.kind, question.text, question.properties.name if question.properties else ""


def _surroundings(records: Iterable[Record]) -> Mapping[str, str]:
    """Machines and versions, each as a text that lists what there is."""
    found: dict[str, dict[str, None]] = {}
    for host in dict.fromkeys(r.outcome.host for r in records if r.outcome.host is not None):
        machine = f"{host.name} ({host.system}, {host.cores} cores, {host.memory >> 30} GiB)"
        for what, text in (("machine", machine), *host.versions):
            found.setdefault(what, {})[text] = None
    return {what: " and ".join(sorted(texts)) for what, texts in found.items()}


def cells(number: int) -> str:
    """The number, with its noun."""
    return "1 cell" if number == 1 else f"{number} cells"

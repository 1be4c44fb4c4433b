"""Measures what each rewrite takes away from a folder of models of the contest; prints the table.

    python docs/reductions.py FOLDER > table.md

FOLDER holds a folder for each model, with `model.pnml` and `ReachabilityCardinality.xml`. Each net
is reduced for all its targets at once, and what is left for each of the first few alone, by the
rewrites in turns until none finds anything. `docs/measurements.md` has the totals.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines.reductions import common, in_order, reduce_for_all
from petricheck.formats.nets import read_net
from petricheck.formats.properties import RefusedProperty, read_properties
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

LIMIT = 10.0
"""Seconds for one model."""
ALONE = 4
"""How many targets of a model are looked at alone."""


@dataclass
class Removed:
    """What rewrites took away, by the name of the rewrite.

    Attributes:
        places: how many of them.
        transitions: how many of them.
        models: in how many it found something.
        nets: how many nets there were, and their places and transitions before and after.
    """

    places: Counter[str] = field(default_factory=Counter)
    transitions: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    nets: Counter[str] = field(default_factory=Counter)

    def add(self, other: Removed) -> None:
        """Add what was taken from the nets of one model."""
        self.places += other.places
        self.transitions += other.transitions
        self.nets += other.nets
        self.models.update({*+other.places, *+other.transitions})


def reduced(
    net: Net, targets: Sequence[Formula], names: Sequence[str], removed: Removed, budget: Budget
) -> tuple[Net, list[Formula]]:
    """The net for these targets, and the targets of that, after the rewrites took turns."""
    removed.nets += Counter(nets=1, places=len(net.places), transitions=len(net.transitions))
    left = list(targets)
    found = True
    while found:
        found = False
        for name in names:
            step = reduce_for_all(net, left, budget, (name,))
            after = step.problem.net
            removed.places[name] += len(net.places) - len(after.places)
            removed.transitions[name] += len(net.transitions) - len(after.transitions)
            left = [step.about(target).problem.target for target in left]
            net, found = after, found or bool(step.steps)
    removed.nets += Counter(places_left=len(net.places), transitions_left=len(net.transitions))
    return net, left


def measure(folder: Path, together: Removed, alone: Removed) -> None:
    """Reduce the net of a model.

    Raises:
        BudgetExhausted: it took too long; nothing is counted then.
    """
    budget = Budget(seconds=LIMIT)
    net = read_net(folder / "model.pnml").net
    meanings = [p.meaning for p in read_properties(folder / "ReachabilityCardinality.xml", net)]
    targets = [meaning.target for meaning in meanings if not isinstance(meaning, RefusedProperty)]
    first, second = Removed(), Removed()
    net, targets = reduced(net, targets, common(), first, budget)
    for target in targets[:ALONE]:
        reduced(net, [target], in_order(), second, budget)
    together.add(first)
    alone.add(second)


def table(together: Removed, alone: Removed) -> Iterator[str]:
    """Lines of Markdown: a row for each rewrite, for all targets and for single ones."""
    yield "| rewrite | models | places | transitions | models | places | transitions |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name in in_order():
        figures = (
            f"{r.models[name]:,} | {r.places[name]:,} | {r.transitions[name]:,}"
            for r in (together, alone)
        )
        yield f"| `{name}` | {' | '.join(figures)} |"
    for words, suffix in (("of", ""), ("left", "_left")):
        figures = (
            f"{r.nets['nets']:,} nets | {r.nets[f'places{suffix}']:,} | "
            f"{r.nets[f'transitions{suffix}']:,}"
            for r in (together, alone)
        )
        yield f"| *{words}* | {' | '.join(figures)} |"


def main() -> None:
    """Measure all models of the folder; the table goes to standard output."""
    together, alone = Removed(), Removed()
    for path in sorted(Path(sys.argv[1]).glob("*/model.pnml")):
        try:
            measure(path.parent, together, alone)
        except BudgetExhausted as failure:
            sys.stderr.write(f"{path.parent.name}: {failure}\n")
    sys.stdout.write("\n".join(table(together, alone)) + "\n")


if __name__ == "__main__":
    main()

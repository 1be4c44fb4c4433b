"""Writes every net of this folder, and of the parametric families any size, with its question.

    python nets/generate.py                        the committed files, again
    python nets/generate.py kanban 100 OUT_DIR     the Kanban system with 100 cards per cell

The rows are those of Table 2 of Leroux, Rümmer and Subotić, "Guiding Craig interpolation with
domain-specific abstractions" (2016), and a few nets of our own; `systems` describes the nets and
`questions` what is asked.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from notation import REACHABLE, Entry
from questions import ENTRIES, FAMILIES, published

from petricheck.formats.pnml import Pnml

HERE = Path(__file__).parent


def sidecar(entry: Entry) -> bytes:
    """The question as JSON, one key a line."""
    net, target = entry.system.net, entry.target
    fields: dict[str, object] = {
        "net": f"{entry.name}.pnml",
        "source": entry.system.source,
        "kind": target.kind,
        "target": target.atoms,
        "expected": entry.expected,
        "why": entry.why,
        "bounded": entry.system.bounded,
        "places": len(net.places),
        "transitions": len(net.transitions),
        "full": {p for p, compare, _ in target.atoms if compare == "=="} == set(net.places),
    }
    if entry.expected == REACHABLE:
        fields["witness"] = entry.witness.split()
    fields |= published(entry.name)
    lines = (f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in fields.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def files(entries: Sequence[Entry]) -> dict[str, bytes]:
    """The content of every file by its name."""
    nets = {f"{entry.name}.pnml": Pnml().write(entry.system.net) for entry in entries}
    return nets | {f"{entry.name}.json": sidecar(entry) for entry in entries}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the committed files, or the members of one family of one size."""
    parser = argparse.ArgumentParser(description="Write nets as PNML, with their questions.")
    parser.add_argument("family", nargs="?", choices=sorted(FAMILIES))
    parser.add_argument("size", nargs="?", type=int, help="at least 1")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE, help="where to write")
    chosen = parser.parse_args(arguments)
    if chosen.family is not None and (chosen.size is None or chosen.size < 1):
        parser.error("a family needs a size of at least 1")
    entries = ENTRIES if chosen.family is None else FAMILIES[chosen.family](chosen.size)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for name, content in files(entries).items():
        (chosen.folder / name).write_bytes(content)


if __name__ == "__main__":
    main()

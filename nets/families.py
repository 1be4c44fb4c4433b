"""Writes nets of any size from parametric families, each with questions whose answers are known.

    python nets/families.py kanban 100 OUT_DIR     the Kanban system with 100 cards per cell

A family grows from a net of this folder and from the questions about it, whose files say where the
net was published; what is written here is what changes with the size.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import Net, make_net

HERE = Path(__file__).parent
Target = list[tuple[str, str, int]]


@dataclass(frozen=True, slots=True)
class Member:
    """A net of a family and a question about it; `fields` is what its JSON file says."""

    net: Net
    fields: dict[str, Any]

    def files(self) -> dict[str, bytes]:
        """The content of the two files by their names; the JSON has one key a line."""
        path = Path(self.fields["net"])
        lines = (
            f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
            for key, value in self.fields.items()
        )
        index = "{\n" + ",\n".join(lines) + "\n}\n"
        return {path.name: Pnml().write(self.net), f"{path.stem}.json": index.encode()}


def base_net(name: str) -> Net:
    """The net of a committed file."""
    return read_net(HERE / f"{name}.pnml").net


def base_question(name: str) -> dict[str, Any]:
    """The question of a committed file, without the paper's row, which is about that file."""
    fields = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    return {key: fields[key] for key in fields if key != "row"}


def member(name: str, net: Net, base: str, note: str = "", **changes: object) -> Member:
    """A question about this net that differs from a committed one in what `changes` says.

    Args:
        name: of the two files.
        net: what is asked about.
        base: the committed question.
        note: what is added to where the net was published.
        changes: fields of the JSON file.
    """
    fields = base_question(base) | changes
    fields["source"] += note
    exact = {place for place, relation, _ in fields["target"] if relation == "=="}
    fields |= {
        "net": f"{name}.pnml",
        "places": len(net.places),
        "transitions": len(net.transitions),
        "full": exact == set(net.places),
    }
    return Member(net, fields)


def started(net: Net, name: str, tokens: Mapping[str, int]) -> Net:
    """The net under another name, with these tokens and no others at first."""
    return replace(net, name=name, initial=tuple(tokens.get(place, 0) for place in net.places))


def closed(base: str, name: str, tokens: Mapping[str, int]) -> Net:
    """The net without its last place and the transitions that it lets bring tokens in."""
    net = base_net(base)
    supply = len(net.places) - 1
    kept = [n for n, t in enumerate(net.transitions) if supply not in dict(t.pre)]
    return started(net.without({supply}, kept), name, tokens)


def exactly(net: Net, tokens: Mapping[str, int]) -> Target:
    """The marking with these tokens and no others."""
    return [(place, "==", tokens.get(place, 0)) for place in net.places]


def fired(*numbers: int) -> list[str]:
    """The ids of these transitions, as a firing sequence."""
    return [f"t{number}" for number in numbers]


def kanban(cards: int) -> Iterator[Member]:
    """Four cells with this many cards each; nothing comes from outside."""
    name = f"kanban_n{cards}"
    net = closed("kanban_U", name, dict.fromkeys(("p2", "p6", "p10", "p14"), cards))
    note = ", closed, after Ciardo and Tilgner"
    yield member(f"{name}_U", net, "kanban_U", note, bounded=True)
    yield member(
        f"{name}_R",
        net,
        "kanban_R",
        note,
        bounded=True,
        kind="reach",
        target=exactly(net, dict.fromkeys(("p1", "p5", "p9", "p13"), cards)),
        why="every piece of every cell in rework; firing sequence",
        witness=cards * fired(0, 3, 4, 7, 11, 8, 12)
        + cards * fired(0, 3, 4, 5, 9)
        + cards * fired(0, 1),
    )


def fms(pallets: int) -> Iterator[Member]:
    """Three kinds of parts with this many pallets each; nothing comes from outside."""
    name, machines = f"fms_n{pallets}", {"p8": 3, "p13": 1, "p16": 2}
    net = closed("fms_U", name, machines | dict.fromkeys(("p0", "p2", "p3"), pallets))
    note = ", closed, after Ciardo and Trivedi"
    yield member(f"{name}_U", net, "fms_U", note, bounded=True)
    yield member(
        f"{name}_R",
        net,
        "fms_R",
        note,
        bounded=True,
        target=exactly(net, machines | {"p14": pallets, "p20": pallets}),
        why="everything assembled or finished; firing sequence",
        witness=pallets * fired(0, 4, 9, 5, 2, 7, 12, 11, 1, 6, 10, 15) + pallets * fired(3, 8),
    )


def manufacturing(pieces: int) -> Iterator[Member]:
    """The manufacturing system with this many raw pieces; it can block from nine on.

    The question is the marking in which both lines block each other: it holds nine pieces.
    """
    first = base_net("manufacturing_9_R")
    tokens = first.values(first.initial) | {"X1": pieces}
    net = started(first, f"manufacturing_{pieces}", tokens)
    name = f"manufacturing_n{pieces}"
    if pieces < 9:
        why = f"the dead marking holds nine pieces and there are {pieces}; finitely many markings"
        yield member(f"{name}_U", net, "manufacturing_3_U", why=why)
        return
    blocked = base_question("manufacturing_9_R")["target"][1:]
    yield member(f"{name}_R", net, "manufacturing_9_R", target=[("X1", "==", pieces - 9), *blocked])


def long(scale: int) -> Iterator[Member]:
    """Three places trade tokens round one long cycle; at scale 1000 this is L6000.

    Each transition waits for its place to be full, then the place that it fills becomes the next
    that is full: exactly 6·scale markings, all with p1 + 2·p2 + 3·p3 = 12·scale. The target has
    this sum too, but no full place.
    """
    full = {"p1": 6 * scale, "p2": 3 * scale, "p3": 2 * scale}
    net = make_net(
        "exchange",
        full | {"p2": 0},
        {
            "t1": ({"p1": full["p1"], "p3": 2}, {"p1": full["p1"], "p2": 3}),
            "t2": ({"p2": full["p2"], "p1": 3}, {"p2": full["p2"], "p3": 1}),
            "t3": ({"p3": full["p3"], "p2": 1}, {"p3": full["p3"], "p1": 2}),
        },
    )
    off = {"p1": 4 * scale + scale % 2, "p2": 5 * scale // 2, "p3": scale}
    always = " or ".join(f"{place} = {tokens}" for place, tokens in full.items())
    invariant = f"the place invariant p1 + 2*p2 + 3*p3 = {12 * scale} admits the target"
    why = f"{always} always; {invariant}"
    yield member(f"long_n{scale}_U", net, "long_1_U", target=exactly(net, off), why=why)


def exponential(rounds: int) -> Iterator[Member]:
    """One token more than doubling this many times can give."""
    net = base_net("exponential_U")
    power = 2**rounds
    yield member(
        f"exponential_n{rounds}_U",
        net,
        "exponential_U",
        target=exactly(net, {"p1": 1, "p2": power + 1, "p5": rounds}),
        why="with p1 marked p2 + p3 <= 2^p5, with p4 marked p2 + 2*p3 <= 2^(p5 + 1); "
        f"2^{rounds} = {power}",
    )


def mesh(copies: int) -> Iterator[Member]:
    """This many copies of the mesh in a row, each fed by the one before."""
    net = mesh_chain(copies)
    name, row, note = net.name, range(1, copies + 1), ", copied and linked"
    busy, waiting = base_question("mesh2x2_U"), base_question("mesh2x2_R")
    yield member(
        f"{name}_U",
        net,
        "mesh2x2_U",
        note,
        target=[(numbered(place, copies), *least) for place, *least in busy["target"]],
        why=f"in the last copy {busy['why']}",
    )
    yield member(
        f"{name}_R",
        net,
        "mesh2x2_R",
        note,
        target=[(numbered(p, copy), *least) for copy in row for p, *least in waiting["target"]],
        why=f"in every copy {waiting['why']}",
        # The last copy needs two results, and each copy before it two more than its successor.
        witness=[
            numbered(step, copy)
            for copy in row
            for step in 2 * (copies - copy + 1) * fired(32, 0, 6) + fired(12, 13, 34, 16, 35, 17)
        ],
    )


def mesh_chain(copies: int) -> Net:
    """This many copies of the mesh in a row; `p0_2` is place p0 of the second.

    What arrives in p0 comes from outside at the first copy, and from p10 of the copy before at
    every other; else each copy is the mesh as published.
    """
    single = base_net("mesh2x2_U")
    tokens: dict[str, int] = {}
    arcs: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for copy in range(1, copies + 1):
        places = [numbered(place, copy) for place in single.places]
        tokens |= dict(zip(places, single.initial, strict=True))
        for t in single.transitions:
            pre, post = ({places[p]: weight for p, weight in part} for part in (t.pre, t.post))
            arcs[numbered(t.name, copy)] = pre, post
        if copy > 1:
            arcs[f"t32_{copy}"][0][f"p10_{copy - 1}"] = 1
    return make_net(f"mesh_n{copies}", tokens, arcs)


def numbered(name: str, copy: int) -> str:
    """The name of a place or transition in this copy."""
    return f"{name}_{copy}"


FAMILIES: Mapping[str, Callable[[int], Iterator[Member]]] = {
    family.__name__: family for family in (exponential, fms, kanban, long, manufacturing, mesh)
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the members of one family of one size."""
    parser = argparse.ArgumentParser(description="Write nets of any size, with their questions.")
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("size", type=int, help="at least 1")
    parser.add_argument("folder", nargs="?", type=Path, default=".", help="where to write")
    chosen = parser.parse_args(arguments)
    if chosen.size < 1:
        parser.error("a family needs a size of at least 1")
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for written in FAMILIES[chosen.family](chosen.size):
        for name, content in written.files().items():
            (chosen.folder / name).write_bytes(content)


if __name__ == "__main__":
    main()

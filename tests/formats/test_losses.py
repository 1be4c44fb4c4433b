"""What a format cannot hold is told when a net is written in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from invoked import run

from petricheck.formats.losses import losses
from petricheck.formats.nets import read_net, write_net
from petricheck.model.net import Net, Transition
from petricheck.support.errors import InternalError

PLAIN = Net("n", ("i", "o"), (Transition("t", ((0, 1),), ((1, 1),)),), (2, 0))
NAMED = replace(
    PLAIN,
    labels=("start", ""),
    transitions=(replace(PLAIN.transitions[0], label="to do"),),
)
FINAL = replace(NAMED, finals=((0, 2),))
FINALS, NAMES = "the final markings, on which --sound depends", "the names of 2 nodes"


@pytest.mark.parametrize(
    ("ending", "net", "said"),
    [
        *((ending, PLAIN, "") for ending in ("pnml", "net", "lola", "net.gz")),
        ("pnml", FINAL, ""),
        ("net", FINAL, FINALS),
        ("net", NAMED, ""),
        ("lola", NAMED, NAMES),
        ("lola.gz", FINAL, f"{FINALS}; {NAMES}"),
    ],
)
def test_what_a_format_cannot_hold_is_told(
    ending: str, net: Net, said: str, tmp_path: Path
) -> None:
    path = tmp_path / f"n.{ending}"
    write_net(net, path)
    assert losses(net, path) == said


def test_a_file_that_holds_another_net_is_a_fault(tmp_path: Path) -> None:
    write_net(PLAIN, tmp_path / "n.net")
    with pytest.raises(InternalError, match="another net"):
        losses(replace(PLAIN, initial=(1, 0)), tmp_path / "n.net")


def test_the_command_says_on_one_line_what_is_left_out(tmp_path: Path) -> None:
    source, written = tmp_path / "n.pnml", tmp_path / "n.lola"
    write_net(FINAL, source)
    shown = run("convert", source, written)
    assert (shown.exit_code, shown.stdout) == (0, "")
    lost = f"left out, as this format cannot hold it: {FINALS}; {NAMES}"
    assert shown.stderr == f"petricheck: {written}: warning: {lost}\n"
    shown = run("convert", source, tmp_path / "n.spec", "--cover", "o=1")
    assert lost in shown.stderr
    assert run("convert", source, tmp_path / "n.smt2", "--cover", "o=1").stderr == ""


def test_human_names_go_through_the_format_of_tina(tmp_path: Path) -> None:
    write_net(NAMED, tmp_path / "n.net")
    again = read_net(tmp_path / "n.net").net
    assert (again, again.labels) == (NAMED, NAMED.labels)
    assert again.transitions[0].label == "to do"


def test_colours_are_in_the_map_and_names_of_a_coloured_net_are_told(tmp_path: Path) -> None:
    path = tmp_path / "flat.net"
    shown = run("convert", Path("nets") / "philosophers.pnml", path)
    assert f"the colours, which are listed in {tmp_path / 'flat.map.json'}" in shown.stderr

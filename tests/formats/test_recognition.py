"""Files are recognized by content and ending; kinds that are not read are refused by their name."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from invoked import run

from petricheck.formats.nets import read_net
from petricheck.formats.nets._foreign import KINDS
from petricheck.support.errors import InputError

BEGINNINGS = {
    "Git LFS": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n",
    "browsers": "\n<!DOCTYPE html>\n<html></html>",
    "VipTool": '<?xml version="1.0"?><pnml><net type="VIPschema.xsd"></net></pnml>',
    "SNAKES": '<pnml><net id="n"><place id="p"><type domain="universal"/></place></net></pnml>',
    "BPMN": '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"/>',
    "TimeNET": '<?xml version="1.0"?>\n<net id="0" netclass="eDSPN"></net>',
    "Snoopy": '<?xml version="1.0"?>\n<Snoopy version="2"></Snoopy>',
    "Woflan": 'place "p" init 1;\nplace "q";\ntrans "t"~"go" in "p" out "q";\n',
}  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.start])
@pytest.mark.parametrize("name", ["n.pnml", "n.tpn.gz", "-"])
def test_what_begins_like_another_kind_is_refused_by_its_name(
    kind: tuple[str, str], name: str, tmp_path: Path
) -> None:
    (text,) = (text for word, text in BEGINNINGS.items() if word in kind[0])
    path = name if name == "-" else tmp_path / name
    content = text.encode()
    if name != "-":
        (tmp_path / name).write_bytes(gzip.compress(content) if ".gz" in name else content)
    shown = run(path, "--deadlock", given=content)
    source = "standard input" if name == "-" else path
    assert (shown.exit_code, shown.stdout) == (3, "")
    assert shown.stderr == f"petricheck: {source}: this is {kind[0]}; {kind[1]}\n"


@pytest.mark.parametrize(
    ("ending", "kind"), [(ending, kind) for kind in KINDS for ending in kind.endings]
)
def test_what_ends_like_another_kind_is_refused_by_its_name(
    ending: str, kind: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / f"net{ending.upper()}"
    for content in (b"<pnml/>", b"PK\x03\x04", b""):
        path.write_bytes(content)
        with pytest.raises(InputError) as caught:
            read_net(path)
        said = f"a file ending in {ending} is {kind[0]}; {kind[1]}"
        assert str(caught.value) == f"{path}: {said}"


W = '<transition id="w"/>'


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tr t p -> q", "t"),
        ("PLACE p; MARKING p; TRANSITION u CONSUME p; PRODUCE;", "u"),
        (".inputs a\n.graph\np a+\n.marking {p}\n.end", "a+"),
        ('\n<pnml><net id="n"><transition id="v"/></net></pnml>', "v"),
        (f"<pnml><net id='n'><place id='p' initialMarking='0'/>{W}</net></pnml>", "w"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["", ".txt", ".xml"])
def test_a_file_with_an_ending_that_says_nothing_is_recognized(
    text: str, name: str, ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"net{ending}"
    path.write_text(text)
    assert read_net(path).net.actions == (name,)


def test_a_format_may_be_given_and_then_nothing_is_recognized(tmp_path: Path) -> None:
    path = tmp_path / "n.tpn"
    path.write_text("tr t p -> q")
    assert read_net(path, format="tina").net.actions == ("t",)
    with pytest.raises(InputError, match="PLACE"):
        read_net(path, format="lola")


@pytest.mark.parametrize(
    "text", [b"<net ", b"<place ", b"<", b"<!-- -->", b"<definitions ", b"place ", b"|0|\n|"]
)
def test_what_repeats_a_beginning_for_ever_is_refused_in_time(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "n.txt"
    path.write_bytes(text * 50_000)
    with pytest.raises(InputError):
        read_net(path)

"""Nets come from paths, bytes and open files, and one of several nets is chosen by its id."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import pytest

import petricheck
from petricheck.support.errors import InputError, QueryError

TWO = '<pnml><net id="a"><place id="p"/></net><net id="b"><place id="q"/></net></pnml>'
TINA = "net n\ntr t p -> q"
LATIN = (
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n<pnml><net id="\xe9"><place id="p"/></net></pnml>'
)


@pytest.mark.parametrize(
    "source",
    [
        TINA.encode(),
        bytearray(TINA.encode()),
        memoryview(TINA.encode()),
        gzip.compress(TINA.encode(), mtime=0),
        io.BytesIO(TINA.encode()),
        io.BytesIO(gzip.compress(TINA.encode(), mtime=0)),
        io.StringIO(TINA),
    ],
)
def test_bytes_and_open_files_are_read(source: Any) -> None:
    assert petricheck.load(source).actions == ("t",)


def test_files_that_were_opened_in_any_way_are_read(tmp_path: Path) -> None:
    path = tmp_path / "net.txt.gz"
    path.write_bytes(gzip.compress(TINA.encode(), mtime=0))
    for opener, mode in ((Path.open, "rb"), (gzip.open, "rb"), (gzip.open, "rt")):
        with opener(path, mode) as file:
            assert petricheck.load(file).name == "n"


def test_text_is_read_whatever_encoding_it_declares() -> None:
    assert petricheck.load(LATIN.encode("latin-1")).name == "\xe9"
    assert petricheck.load(io.StringIO(LATIN)).name == "\xe9"


def test_one_of_several_nets_is_chosen_by_its_id(tmp_path: Path) -> None:
    path = tmp_path / "two.pnml"
    path.write_text(TWO)
    for source in (path, str(path), TWO.encode()):
        assert petricheck.load(source, net="b").places == ("q",)
        with pytest.raises(InputError, match="--net ID in a command, net=ID in Python"):
            petricheck.load(source)


def test_a_format_that_is_given_is_used() -> None:
    assert petricheck.load(TINA.encode(), format="tina").name == "n"
    with pytest.raises(InputError, match="the given bytes: line 1: this is not well-formed XML"):
        petricheck.load(TINA.encode(), format="pnml")
    with pytest.raises(QueryError, match="'tiner' among the formats; known: apt, "):
        petricheck.load(TINA.encode(), format="tiner")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"", "the given bytes: the file is empty"),
        (io.StringIO(""), "the given file: the file is empty"),
        (b"version https://git-lfs.github.com/spec/v1", "git lfs pull"),
        (b"PK\x03\x04", "this is a zip archive"),
        (7, "this is no net but of type int"),
    ],
)
def test_what_is_no_net_is_refused_with_one_sentence(source: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        petricheck.load(source)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_closed_file_is_refused_and_words_about_files_are_for_files_alone() -> None:
    closed = io.BytesIO(b"x")
    closed.close()
    with pytest.raises(InputError, match="the given file: cannot be read"):
        petricheck.load(closed)
    with pytest.raises(InputError, match="net= and format= are about files"):
        petricheck.load(petricheck.make_net("n", {}, {}), net="n")

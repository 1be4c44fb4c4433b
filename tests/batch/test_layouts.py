"""Layouts: what is written is what is read, however hostile its names."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from petricheck.batch.reports.layouts import (
    Listing,
    ReportTable,
    Strong,
    Style,
    render,
    to_csv,
)
from petricheck.support.words import printable

HOSTILE = (
    r"a|b", r"\input{/etc/passwd}", "$x^2$", "50%", "p_1__2_", "#1 & #2", "{[*]}", "a--b---c",
    '"quoted" `code` \'\'two\'\'', "<script>alert(1)</script>", "&amp; &lt;", "~/x", "[a](b)",
    "**WRONG**", "first\nsecond", "\x1b[31mred", "right\u202eleft", r"a\\", "Größe Ω", ",,x<<y>>",
)  # fmt: skip
HEADS = ("name", "one N", "sec", "two N")
anything = st.text(st.characters(codec="utf-8"), max_size=12)


def table(*rows: tuple[str, ...], groups: int = 0) -> ReportTable:
    return ReportTable("A table", HEADS, rows, groups=groups)


def read_markdown(text: str) -> list[list[str]]:
    """The cells of the table as a reader of Markdown shows them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    rows: list[list[str]] = []
    for place, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        if token.type in ("td_open", "th_open"):
            parts = tokens[place + 1].children or []
            assert {part.type for part in parts} <= {"text", "text_special", "strong_open",
                                                     "strong_close"}, parts  # fmt: skip
            rows[-1].append("".join(part.content for part in parts))
    return rows


@given(anything)
def test_markdown_in_a_table_shows_the_text(text: str) -> None:
    rows = [(name, name, "2", "3") for name in (*HOSTILE, text)]
    shown = read_markdown(render([table(*rows)], "markdown").split("\n\n")[1])
    assert shown[1:] == [[printable(name).strip()] * 2 + ["2", "3"] for name, *_ in rows]


@pytest.mark.parametrize("text", ["# a", "- a", "+ a", "1. a", "12) a", "> a", "=== a", "    a"])
def test_markdown_prose_and_points_hold_nothing_but_text(text: str) -> None:
    shown = render([text, Listing("Title", (text,))], "markdown")
    kinds = {token.type for token in MarkdownIt("commonmark").parse(shown)}
    assert kinds == {
        "paragraph_open", "paragraph_close", "inline", "heading_open", "heading_close",
        "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close",
    }  # fmt: skip
    assert MarkdownIt("commonmark").render(shown).count(text.strip().replace(">", "&gt;")) == 2


@given(st.lists(st.tuples(anything, anything, anything, anything), max_size=4))
def test_csv_is_read_back_as_it_was_but_for_apostrophes(rows: list[tuple[str, ...]]) -> None:
    text = to_csv(table(*rows))
    head, *read = csv.reader(io.StringIO(text, newline=""))
    assert head == [*HEADS]
    assert [tuple(cell.removeprefix("'") for cell in row) for row in read] == [
        tuple(cell.removeprefix("'") for cell in row) for row in rows
    ]
    assert not [cell for row in read for cell in row if cell[:1] in ("=", "@", "\t", "\r", "\n")]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        *((text, f"'{text}") for text in ("=1+1", "+cmd|x", "-cmd", "@SUM(A1)", "\t=1", "\r=1")),
        *((text, f"'{text}") for text in ("-", "-1+1", "--1", "+1-2", "-0x10", "-1\n=1")),
        *((text, text) for text in ("-1", "+2", "-3.5", "-1e+20", "1=1", "a@b", "'=1", "", " =1")),
    ],
)
def test_no_cell_of_csv_is_a_formula(cell: str, written: str) -> None:
    named = ReportTable("T", (cell, "b"), ((cell, "b"),))
    assert [*csv.reader(io.StringIO(to_csv(named), newline=""))] == [[written, "b"]] * 2


@given(st.lists(st.tuples(anything, anything, anything, anything), min_size=1, max_size=4))
def test_a_row_of_text_is_one_line_and_columns_are_aligned(rows: list[tuple[str, ...]]) -> None:
    title, empty, head, *lines = render([table(*rows)], "text").removesuffix("\n").split("\n")
    assert (title, empty, head.split()[0]) == ("A table", "", "name")
    assert len(lines) == len(rows)
    assert all(line.isprintable() for line in lines)


def test_columns_of_text_stand_below_their_heads() -> None:
    shown = render([table(("long name", "1", "0.5", "12"), ("b", "10", "20.25", "3"))], "text")
    assert shown.splitlines() == [
        "A table",
        "",
        "name       one N    sec  two N",
        "long name      1    0.5     12",
        "b             10  20.25      3",
    ]


def test_names_of_a_group_are_shown_once_to_people_and_always_to_programs() -> None:
    rows = (("x", "1", "a", "0"), ("x", "1", "b", "0"), ("x", "2", "b", "0"), ("y", "2", "c", "0"))
    grouped = table(*rows, groups=2)
    shown = read_markdown(render([grouped], "markdown"))
    assert [row[:3] for row in shown[1:]] == [
        ["x", "1", "a"], ["", "", "b"], ["", "2", "b"], ["y", "2", "c"],
    ]  # fmt: skip
    assert [row[0] for row in csv.reader(io.StringIO(to_csv(grouped)))][1:] == ["x", "x", "x", "y"]


def test_what_stands_out_is_bold_and_what_is_named_like_it_is_not() -> None:
    both = table((Strong("WRONG"), "WRONG", "basic_me_U (default): 0.25 s", ""))
    assert "| **WRONG** | WRONG | basic_me_U (default): 0.25 s |" in render([both], "markdown")


@pytest.mark.parametrize("style", ["text", "markdown"])
def test_blocks_stand_apart_and_lines_of_prose_are_kept(style: Style) -> None:
    shown = render(["one\ntwo", "three"], style)
    assert shown == "one\ntwo\n\nthree\n"
    assert render([], style) == ""

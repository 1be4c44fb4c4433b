"""Names of characters that nobody sees are shown escaped, wherever people read them."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from invoked import run

from petricheck.arithmetic.formulas.latex import name_to_latex
from petricheck.formats.nets import write_net
from petricheck.model.net import make_net
from petricheck.questions import ask, check
from petricheck.support.budget import Budget
from petricheck.support.words import printable, quoted

IGNORABLE = [
    *(0xAD, 0x34F, 0x61C, *range(0x115F, 0x1161), *range(0x17B4, 0x17B6), *range(0x180B, 0x1810)),
    *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164),
    *(*range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4)),
    *(*range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
]
"""The characters that Unicode calls default ignorable."""

UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs")

SHOWN = [
    "größe",
    "место_1",
    "場所",
    "장소",
    "स्थान",
    "מקום",
    "مكان",
    "τόπος",
    "p→q",
    "e\u0301",
    "🐟",
]

HIDDEN = ["\u3164", "\uffa0", "\u2800", "\ufe0f", "\u200b", "\u202e", "\u00a0", "\ue000", "\x7f"]


def test_characters_that_nobody_sees_are_escaped() -> None:
    every = map(chr, range(0x20000))
    unseen = [c for c in every if unicodedata.category(c) in UNSEEN and c != " "]
    assert printable("".join([*map(chr, IGNORABLE), *unseen])).isascii()
    assert quoted("".join(map(chr, IGNORABLE[:40]))).isascii()


@pytest.mark.parametrize("name", SHOWN)
def test_letters_of_all_scripts_are_shown_as_they_are(name: str) -> None:
    assert printable(name) == name and quoted(name) == repr(name)


def test_few_letters_and_marks_are_escaped() -> None:
    seen = [chr(n) for n in range(0x20000) if unicodedata.category(chr(n))[0] in "LMNPS"]
    assert len([c for c in seen if printable(c) != c]) < 40


@pytest.mark.parametrize("hidden", HIDDEN, ids=lambda c: f"U+{ord(c):04X}")
def test_no_output_has_a_character_that_nobody_sees(hidden: str, tmp_path: Path) -> None:
    name = f"p{hidden}"
    net = make_net("n", {name: 1, "q": 0}, {f"t{hidden}": ({name: 1}, {"q": 1})})
    path = str(tmp_path / "n.pnml")
    write_net(net, Path(path))
    files = [str(tmp_path / name) for name in ("e.json", "p.html", "s.svg", "s.dot")]
    words = [path, "--cover", "q=1", "--evidence", files[0], "--html", files[1]]
    shown = [run(*words).stdout, run("info", path).stdout, run(path, "--state-space").stdout]
    shown += [run("verify", path, files[0], "--explain").stdout, run(*words, "-v").stderr]
    for drawing in files[2:]:
        run(path, "--state-space", "--graph", drawing)
    shown += [Path(file).read_text("utf-8") for file in files[1:]]
    finding = check(ask(net, cover="q=1"), budget=Budget(20))
    shown += [
        str(finding),
        finding._repr_html_(),
        finding.draw(),
        repr(net),
        str(net),
        net._repr_html_(),
    ]
    shown += [name_to_latex(name), run(path, "--cover", f'"{name}"=x').stderr]
    escaped = printable(hidden)
    for number, text in enumerate(shown):
        assert hidden not in text, (number, text)
    assert any(escaped in text for text in shown[:4])
    printed = run(*words[:3], "--json").stdout
    assert printed.isascii()
    assert json.dumps(f"t{hidden}") in json.dumps(json.loads(printed))

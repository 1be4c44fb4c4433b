"""The edits that `mutate` tries, and what it finds with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from mutations import mutants

SOURCE = '''
MOST = 7

def within(numbers: list[int], least: int = 0) -> bool:
    """Whether all are between the two."""
    for number in numbers:
        if number < least or number > MOST:
            return False
    return True

def unused() -> int:
    return 3
'''

TEST = """
from within import within

def test_numbers_are_within() -> None:
    assert within([0, 7]) and not within([3, 8])
"""


def changes(source: str) -> list[str]:
    return [mutant.change for mutant in mutants(source)]


@pytest.mark.parametrize(
    ("source", "change"),
    [
        ("a < b", "a < b  ->  a <= b"),
        ("a and b and c", "a and b and c  ->  a and c"),
        ("a or b", "a or b  ->  a and b"),
        ("not a", "not a  ->  a"),
        ("a - b", "a - b  ->  a + b"),
        ("any(a)", "any(a)  ->  all(a)"),
        ("f(a, b)", "f(a, b)  ->  f(b, a)"),
        ("f(a, key=b)", "f(a, key=b)  ->  f(a)"),
        ("a[b:c]", "b:c  ->  :c"),
        ("7", "7  ->  8"),
        ("True", "True  ->  False"),
        ("(*a, b)", "(*a, b)  ->  (b,)"),
        ("[a for a in b if a]", "for a in b if a  ->  for a in b"),
        ("[a for a in b]", "for a in b  ->  for a in list(b)[1:]"),
        ("a if b else c", "a if b else c  ->  c"),
    ],
)
def test_expressions_are_edited(source: str, change: str) -> None:
    assert change in changes(f"def f():\n    return {source}\n")


@pytest.mark.parametrize(
    ("source", "change"),
    [
        ("f(a)", "f(a)  ->  pass"),
        ("a += b", "a += b  ->  a -= b"),
        ("if a: f()", "if a:  ->  if False:"),
        ("for a in b: f()", "for a in b:  ->  for a in list(b)[:-1]:"),
        ("raise a", "raise a  ->  pass"),
        ("a[b] = c", "a[b] = c  ->  pass"),
    ],
)
def test_statements_are_edited(source: str, change: str) -> None:
    assert change in changes(f"def f():\n    {source}\n")


def test_texts_and_annotations_are_left_alone() -> None:
    assert changes('def f(a: "1" | 2) -> 3:\n    """4"""\n    return f"{a + 5}"\n') == []


def test_the_tree_has_one_edit_at_a_time() -> None:
    import ast

    texts = [ast.unparse(mutant.tree) for mutant in mutants(SOURCE)]
    assert len(set(texts)) == len(texts) > 10
    assert all(mutant.lines[0] == 2 for mutant in mutants(SOURCE) if mutant.is_constant)


def test_what_no_test_notices_is_listed(tmp_path: Path) -> None:
    (tmp_path / "within.py").write_text(SOURCE)
    (tmp_path / "test_within.py").write_text(TEST)
    script = Path(__file__).parents[1] / "mutate.py"
    command = [sys.executable, script, tmp_path / "within.py", "test_within.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert "within.py:7 within, 1 tests: number < least  ->  number <= least" not in done.stdout
    assert "number < least or number > MOST  ->  number > MOST" in done.stdout
    assert "within.py:12 unused, 0 tests: 3  ->  4" in done.stdout
    *survivors, last, _, _ = done.stdout.splitlines()
    assert last.endswith(f"{len(survivors)} survived")

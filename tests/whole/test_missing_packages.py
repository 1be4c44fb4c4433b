"""Where packages of extras, or numba, are missing, what does not need them works."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
from folders import ROOT

from petricheck.support import extras

HIDDEN = "numba llvmlite sympy mpmath dd pysat networkx cvc5 snakes matplotlib distributed dask"
"""Top-level modules."""

HIDING = f"""
import sys

class Hidden:
    @staticmethod
    def find_spec(name, *_):
        if name.partition(".")[0] in {HIDDEN.split()}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden)
"""

ASKING = """
import petricheck
from petricheck.questions.kind import kind_names

net = petricheck.make_net(
    "n", {"i": 1, "m": 0, "o": 0}, {"a": ({"i": 1}, {"m": 1}), "b": ({"m": 1}, {"o": 1})}
)
words = {"target": "o=1", "cover": "m=1", "formula": "i = 2", "bound": "m + o", "fireable": "b",
         "home": "o = 1", "always": "i < 2", "never": "m = 2", "replay": "a b"}
for kind in kind_names():
    finding = petricheck.check(petricheck.ask(net, **{kind: words.get(kind, True)}))
    print(kind, finding.headline)
    finding._repr_html_()
philosophers = petricheck.load(PATH)
print("unfolded", petricheck.check(petricheck.ask(philosophers, deadlock=True)).headline)
for call in (
    lambda: petricheck.check(petricheck.ask(net, cover="i=2"), engine="transition_approximation"),
    lambda: petricheck.check(petricheck.ask(net, cover="i=2"), second_solver=True),
    lambda: petricheck.interop.to_snakes(net),
):
    try:
        print(call())
    except petricheck.PetricheckError as error:
        print(error)
"""

ANSWERS = """target reachable
cover reachable
formula unreachable
always holds
never holds
deadlock reachable
fireable reachable
replay fires
bound maximum 1
bounded bounded
safe safe
quasi_live quasi-live
live not live
stable no place is stable
home home space
state_space 3 markings
reversible not reversible
terminates terminates
sound sound
unfolded reachable
dd is not installed: pip install 'petricheck[laboratory]'
cvc5 is not installed: pip install 'petricheck[second-solver]'
SNAKES is not installed: pip install 'petricheck[interop]'
"""


def hidden(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A program to which the packages are hidden."""
    command = [sys.executable, "-c", HIDING + code, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


def test_all_kinds_of_questions_are_answered_without_them_and_the_rest_says_what_to_do() -> None:
    path = ROOT / "nets" / "philosophers.pnml"
    ended = hidden(ASKING.replace("PATH", repr(str(path))))
    assert (ended.stdout, ended.stderr) == (ANSWERS, "")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("--json",), '"verdict": "unreachable"'),
        (("--invariant", "latex"), "petricheck: sympy is not installed: pip install 'petricheck[l"),
    ],
)
def test_the_command_works_without_them(words: tuple[str, ...], answer: str) -> None:
    code = "from petricheck.commands import main\nmain(prog_name='petricheck')"
    net = str(ROOT / "nets" / "fms_U.pnml")
    ended = hidden(code, net, "--cover", "p12=2", *words)
    assert answer in ended.stdout + ended.stderr and "Traceback" not in ended.stderr


def test_every_extra_that_is_named_is_one_of_the_project_and_belongs_to_all() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    offered = project["optional-dependencies"]
    for_users = {*offered} - {"all", "dev", "docs", "interop-tests"}
    assert offered["all"] == [f"petricheck[{','.join(sorted(for_users))}]"]
    assert "petricheck[all" in offered["dev"][0]
    text = "".join(path.read_text() for path in (ROOT / "petricheck").rglob("*.py"))
    named = set(re.findall(r'(?:optional|missing)\([^)]*"([a-z-]+)"\)', text))
    assert len(named) >= 5 and named <= for_users


def test_a_package_is_told_with_the_extra_that_brings_it() -> None:
    assert not extras.is_installed("nonesuch") and extras.is_installed("click")
    with pytest.raises(extras.QueryError, match=r"^Nonesuch is not installed: pip .*\[latex\]'$"):
        extras.optional("nonesuch.part", "Nonesuch", "latex")

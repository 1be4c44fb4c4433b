"""Every command ends in time, and within its memory, on hostile coloured nets."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from budgets import Counted
from coloured_documents import (
    arc,
    const,
    document,
    every,
    integer,
    label,
    named,
    place,
    read,
    sort,
    span,
    tag,
    times,
    var,
    variable,
)
from test_hostile_nets import LIMIT, seconds

import petricheck
from petricheck.evidence.audit.colours.unfolding import check_unfolding
from petricheck.model.coloured.bindings import bindings, evaluated
from petricheck.model.coloured.net import ColouredNet, Place, candidates
from petricheck.model.coloured.possible import initial_tokens, possible_colours
from petricheck.model.coloured.sorts import Dot, Product, Sort
from petricheck.model.coloured.tables import NOTHING_SAID, Limit, domain
from petricheck.model.coloured.terms import Variable
from petricheck.model.coloured.unfolding import unfold
from petricheck.reports.survey.coloured import most_text
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, Ending, InputError

MEMORY = 500

Written = tuple[str, str]
"""What a document has inside, and its declarations."""


def transition(id_: str, guard: str = "") -> str:
    return f'<transition id="{id_}">{label("condition", guard) if guard else ""}</transition>'


def moved(of: str, taken: str, put: str, guard: str = "", count: int = 1) -> str:
    """All colours on p, and so many transitions from there to q."""
    nodes = place("p", of, every(of)) + place("q", of)
    steps = (transition(f"t{n}", guard) for n in range(count))
    arcs = (arc("p", f"t{n}", taken) + arc(f"t{n}", "q", put) for n in range(count))
    return nodes + "".join(steps) + "".join(arcs)


def product(id_: str, of: str, count: int) -> str:
    return named(id_, f"<productsort>{sort(of) * count}</productsort>")


def cycle(id_: str, size: int, name: Callable[[int], str] = str) -> str:
    constants = (f'<feconstant id="{id_}{n}" name="{name(n)}"/>' for n in range(size))
    return named(id_, f"<cyclicenumeration>{''.join(constants)}</cyclicenumeration>")


def one_of(count: int) -> list[str]:
    """So many comparisons with constants of 1 to 1000."""
    return [tag("inequality", var("x"), integer(n % 1000 + 1, 1, 1000)) for n in range(count)]


def equal_variables(count: int) -> Written:
    """Variables that a guard makes equal."""
    names = [f"x{n}" for n in range(count)]
    guard = tag("and", *(tag("equality", var(name), var("x0")) for name in names[1:]))
    declared = named("s", span(1, 3)) + "".join(variable(name, "s") for name in names)
    return moved("s", var("x0"), var("x0"), guard), declared


def variables() -> Written:
    """100,000 variables in a guard."""
    return equal_variables(100_000)


def taken() -> Written:
    """2,000 variables on an arc."""
    names = [f"x{n}" for n in range(2000)]
    declared = named("s", span(1, 3)) + "".join(variable(name, "s") for name in names)
    return moved("s", tag("add", *map(var, names)), var("x0")), declared


def nested(depth: int = 40) -> Written:
    """Pairs of pairs of pairs, of one colour."""
    declared = named("s0", span(1, 1))
    declared += "".join(product(f"s{n}", f"s{n - 1}", 2) for n in range(1, depth + 1))
    return moved(f"s{depth}", var("x"), var("x")), declared + variable("x", f"s{depth}")


def wide() -> Written:
    """Fifty places, each with 10^18 tuples at first."""
    declared = named("s", span(1, 1000)) + product("b", "s", 6) + variable("x", "b")
    places = "".join(place(f"p{n}", "b", every("b")) for n in range(50))
    return places + transition("t") + arc("p1", "t", var("x")), declared


def later() -> Written:
    """400 transitions with ninety successors of a variable each."""
    chain = "<successor><subterm>" * 90 + var("x") + "</subterm></successor>" * 90
    guard = tag("inequality", chain, var("x"))
    return moved("e", chain, chain, guard, 400), cycle("e", 5000) + variable("x", "e")


def compared() -> Written:
    """A guard of 20,000 comparisons."""
    declared = named("s", span(1, 1000)) + variable("x", "s")
    return moved("s", var("x"), var("x"), tag("or", *one_of(20_000))), declared


def bound() -> Written:
    """5,000 transitions, each with a hundred million bindings."""
    declared = cycle("e", 10_000) + variable("x", "e") + variable("y", "e")
    return moved("e", var("x"), var("y"), count=5000), declared


def whole() -> Written:
    """19 million initial tokens, just below what is refused."""
    return moved("s", var("x"), var("x")), named("s", span(1, 19_000_000)) + variable("x", "s")


def parted() -> Written:
    """A partition of 50,000 parts."""
    parts = (
        f'<partitionelement id="h{n}" name="H{n}">{const(f"e{n}")}</partitionelement>'
        for n in range(50_000)
    )
    partition = f'<partition id="h" name="h">{sort("e")}{"".join(parts)}</partition>'
    of = '<partitionelementof refpartition="h"><subterm>{}</subterm></partitionelementof>'
    guard = tag("equality", of.format(var("x")), of.format(var("y")))
    declared = cycle("e", 50_000) + partition + variable("x", "e") + variable("y", "e")
    return moved("e", var("x"), var("y"), guard), declared


def heavy() -> Written:
    """Counts of 4,000 digits."""
    declared = named("s", span(1, 100)) + variable("x", "s") + variable("y", "s")
    put = tag("add", times("7" * 3999, var("y")), times("3" * 2000, var("x")))
    return moved("s", times("7" * 4000, var("x")), put, count=3), declared


def named_at_length() -> Written:
    """Twenty colours whose names have a million characters."""
    declared = cycle("e", 20, lambda n: f"{n}{'x' * 1_000_000}")
    return moved("e", var("x"), var("y")), declared + variable("x", "e") + variable("y", "e")


def joined() -> Written:
    """Three hundred transitions with eight million bindings each."""
    declared = named("s", span(1, 4000)) + variable("x", "s") + variable("y", "s")
    both = tag("add", var("x"), var("y"))
    return moved("s", both, var("x"), tag("lessthan", var("x"), var("y")), 300), declared


NETS = {
    net.__name__: net
    for net in (
        variables, taken, nested, wide, later, compared,
        bound, whole, parted, heavy, named_at_length, joined,
    )
}  # fmt: skip

COMMANDS: Sequence[tuple[str, ...]] = (
    ("convert", "NET", "OUT.net"),
    ("info", "NET"),
    ("NET", "--deadlock", "--html", "OUT.html"),
    ("NET", "--formula", "q >= 3"),
    ("NET", "--bound", "q"),
    ("NET", "--live"),
    ("NET", "--reversible"),
    ("NET", "--state-space", "--graph", "OUT.svg"),
    ("NET", "--quasi-live", "--json"),
    ("mcc", "FOLDER", "--examination", "ReachabilityDeadlock"),
    ("convert", "NET", "OUT.pnml"),
    ("NET", "--safe"),
)


LAUNCH = """
import resource, subprocess, sys
ended = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
sys.exit(ended.returncode)
"""
"""Starts a command from a small process: what is forked from a large one counts as large."""


def ended(words: Sequence[str]) -> tuple[int, int, str]:
    """Exit status, the most MiB of one process, and the errors of a limited command."""
    command = [sys.executable, "-m", "petricheck", *words]
    command += ["--timeout", f"{LIMIT:g}", "--memory", str(MEMORY)]
    launcher = [sys.executable, "-c", LAUNCH, *command]
    done = subprocess.run(launcher, capture_output=True, text=True, check=False)
    return done.returncode, int(done.stdout), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("name", "command"), [*zip(NETS, COMMANDS, strict=True)])
def test_a_hostile_coloured_net_ends_within_its_limits(
    name: str, command: Sequence[str], tmp_path: Path
) -> None:
    (tmp_path / "model.pnml").write_text(document(*NETS[name]()))
    slack = 5 * seconds("--version")
    words = "\n".join(command)
    for key, value in (("NET", "model.pnml"), ("FOLDER", ""), ("OUT", "out")):
        words = words.replace(key, str(tmp_path / value))
    began = time.monotonic()
    status, most, errors = ended(words.split("\n"))
    assert time.monotonic() - began < LIMIT + 1 + slack
    assert "Traceback" not in errors and "internal error" not in errors
    assert status in (0, 1, 3), errors
    assert most < 2 * MEMORY


def test_limits_of_many_digits_are_written_as_powers_of_ten() -> None:
    net = read(*equal_variables(2000))  # 3^2000 has 955 digits.
    assert most_text(net) == "6 places and 10^955 transitions"
    assert (
        most_text(read(*wide()))
        == "50000000000000000000 places and 1000000000000000000 transitions"
    )


# Steps of the unfolding


def test_tuples_of_more_than_a_thousand_components_are_refused() -> None:
    assert len(unfold(read(*nested(9)), Budget()).places) == 2
    with pytest.raises(InputError, match="more than 1000 components"):
        read(*nested(10))


def test_so_are_those_of_nets_built_in_python() -> None:
    of: Sort = Dot()
    for _ in range(40):
        of = Product("", (of, of))
    with pytest.raises(InputError, match="more than 1000 components"):
        petricheck.unfold(ColouredNet("n", (Place("p", of),), ()))


def test_the_unfolding_of_a_thousand_variables_is_audited() -> None:
    net = unfold(read(*equal_variables(1200)), Budget())
    assert len(net.transitions) == 3
    check_unfolding(net)


def test_no_table_is_made_that_exceeds_the_memory_or_after_the_time() -> None:
    numbers = Variable("x", read(*whole()).places[0].sort)
    domain(numbers, Limit(10**8, "rows"))
    for budget, ending in ((Budget(memory=500), Ending.MEMORY), (Budget(seconds=0), Ending.TIME)):
        with pytest.raises(BudgetExhausted) as caught:
            domain(numbers, Limit(10**8, "rows", budget))
        assert caught.value.ending is ending


def test_the_tokens_of_all_summands_together_are_limited() -> None:
    terms = tag("add", *[every("s")] * 3)
    net = read(place("p", "s", terms), named("s", span(1, 10)))
    assert len(evaluated(net.places[0].initial, NOTHING_SAID, Limit(30, "tokens"))[0]) == 10
    with pytest.raises(BudgetExhausted, match="30 tokens"):
        evaluated(net.places[0].initial, NOTHING_SAID, Limit(29, "tokens"))


def listed(net: ColouredNet, budget: Budget) -> None:
    for _ in candidates(net.transitions[0], [range(100)] * 2, budget)[1]:
        pass


STEPS: dict[str, Callable[[ColouredNet, Budget], object]] = {
    "initial": lambda net, budget: initial_tokens(net, budget),
    "possible": lambda net, budget: possible_colours(net, [range(1000), ()], budget),
    "bindings": lambda net, budget: bindings(
        net.transitions[0], [np.arange(1000)] * 2, Limit(10**6, "rows", budget)
    ),
    "solutions": listed,
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("tagged", ["and", "or"])
def test_every_step_looks_at_the_budget_until_its_end(step: str, tagged: str) -> None:
    declared = named("s", span(1, 1000)) + variable("x", "s") + variable("y", "s")
    guard = tag(tagged, *one_of(100), tag("lessthan", var("x"), var("y")))
    net = read(moved("s", tag("add", var("x"), var("y")), var("x"), guard), declared)
    budget = Counted()
    STEPS[step](net, budget)
    looks = len(budget.looks)
    assert looks >= {"initial": 2, "solutions": 3}.get(step, 7)
    for most in (1, looks // 2, looks - 1):
        with pytest.raises(BudgetExhausted):
            STEPS[step](net, Counted(most=most))

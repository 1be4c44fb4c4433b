"""Files of the coverability checker mist (.spec), with the net and the question."""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import Cube, Inequality
from petricheck.formats.nets import mist
from petricheck.model.problem import Problem
from petricheck.support.errors import InputError

MAX_COVERS = 10_000
"""Limit of the covers in a question."""


class Mist:
    """Files of the coverability checker mist."""

    extensions = (".spec",)
    net_extensions = ()

    def write(self, problem: Problem) -> bytes:
        """Return the net, and a line of lower bounds for each cover.

        InputError where the target is no disjunction of covers, or mist cannot express the net.
        """
        return mist.text(problem.net, list(_covers(problem)))


def _covers(problem: Problem) -> Iterator[dict[str, int]]:
    cubes = listed_cubes(problem.target, most=MAX_COVERS)
    if cubes is None:
        raise InputError(f"the question is a choice of more than {MAX_COVERS} covers")
    if not cubes:
        raise InputError("the target is false, which mist cannot ask for")
    yield from map(_bounds, cubes)


def _bounds(cube: Cube) -> dict[str, int]:
    least: dict[str, int] = {}
    for atom in cube:
        match atom:
            case Inequality(term) if len(term.coefficients) == 1 and term.coefficients[0][1] < 0:
                ((name, value),) = term.coefficients
                bound = -(-term.constant // -value)
                least[name] = max(least.get(name, 0), bound)  # a bound below 0 is none
            case _:
                raise InputError(
                    "mist asks only for at least so many tokens in places; ask with --cover, or "
                    "write another format"
                )
    return least

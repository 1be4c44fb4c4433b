"""Formulas of the tool LoLA (.formula); the net is in a .lola file."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Formula, variables
from petricheck.arithmetic.formulas.layout import Language, Signs, laid_out
from petricheck.arithmetic.formulas.terms import Term
from petricheck.formats.exports import comparison_of
from petricheck.formats.scanning import lola as words
from petricheck.formats.scanning.aliases import remarks
from petricheck.formats.scanning.text import digits
from petricheck.model.problem import Problem


class Lola:
    """Formulas of the tool LoLA: EF target."""

    extensions = (".formula",)
    net_extensions = (".lola",)

    def write(self, problem: Problem) -> bytes:
        """Return the formula EF (target), with the names of places in the net's .lola file.

        InputError where the target has a congruence or numbers beyond 32 bits.
        """
        places = words.places(problem.net)
        used = {name: places[name] for name in variables(problem.target)}

        def comparison(atom: Formula) -> str:
            sides = comparison_of(atom)
            return f"{_sum(sides.left, used)} {sides.relation} {_sum(sides.right, used)}"

        language = Language(comparison, _signs, ("NOT (", ")"), "TRUE", "FALSE", for_people=False)
        formula = laid_out(problem.target, language)
        comments = (f"{{ {line} }}" for line in remarks("", used, {}))
        return "".join(f"{line}\n" for line in (*comments, f"EF ({formula})")).encode()


def _signs(word: str, _: bool) -> Signs:
    return "(", f" {word.upper()} ", ")"


def _sum(term: Term, places: dict[str, str]) -> str:
    parts = [
        places[name] if value == 1 else f"{_number(value)} * {places[name]}"
        for name, value in term.coefficients
    ]
    if term.constant or not parts:
        parts.append(_number(term.constant))
    return " + ".join(parts)


def _number(value: int) -> str:
    return ("-" if value < 0 else "") + digits(abs(value), words.TOO_LARGE)

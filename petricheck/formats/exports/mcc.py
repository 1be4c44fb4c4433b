"""A property file of the Model Checking Contest (.xml); the net is in PNML or Tina's format.

The property is a ReachabilityCardinality property. If all coefficients are 1 and no constant is
added to places, the file has only elements that the contest's own files have.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.layout import Language, Signs, laid_out
from petricheck.arithmetic.formulas.terms import Term
from petricheck.formats.exports import comparison_of
from petricheck.formats.scanning.text import digits
from petricheck.formats.scanning.xml import checked
from petricheck.model.problem import Problem
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

ID = "question"
"""The id of the property."""


class Mcc:
    """Property files of the Model Checking Contest: EF target."""

    extensions = (".xml",)
    net_extensions = (".pnml", ".net")

    def write(self, problem: Problem) -> bytes:
        """Return a file with one property, whose id is `ID`.

        InputError where the target has a congruence, or a place's name cannot be written in XML.
        """
        opposite = ("<negation>", "</negation>")
        language = Language(_comparison, _signs, opposite, "<true/>", "<false/>", for_people=False)
        formula = laid_out(problem.target, language)
        lines = (
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<property-set xmlns="http://mcc.lip6.fr/">',
            "  <property>",
            f"    <id>{ID}</id>",
            "    <description>whether the target is reachable</description>",
            "    <formula>",
            f"<exists-path><finally>{formula}</finally></exists-path>",
            "    </formula>",
            "  </property>",
            "</property-set>",
        )
        return "".join(f"{line}\n" for line in lines).encode()


def _signs(word: str, _: bool) -> Signs:
    name = "conjunction" if word == "and" else "disjunction"
    return f"<{name}>", "", f"</{name}>"


def _comparison(atom: Formula) -> str:
    """Return the atom in terms of integer-le, the only comparison of the contest's files."""
    sides = comparison_of(atom)
    below, above = _number(sides.left), _number(sides.right)
    if sides.relation == ">=":
        below, above = above, below
    least = f"\n<integer-le>{below}{above}</integer-le>"
    if sides.relation == "=":
        return f"<conjunction>{least}\n<integer-le>{above}{below}</integer-le></conjunction>"
    return least


def _number(term: Term) -> str:
    units = [name for name, value in term.coefficients if value == 1]
    parts = [f"<tokens-count>{''.join(map(_place, units))}</tokens-count>"] if units else []
    parts += [
        f"<integer-product>{_constant(value)}<tokens-count>{_place(name)}</tokens-count>"
        "</integer-product>"
        for name, value in term.coefficients
        if value != 1
    ]
    if term.constant or not parts:
        parts.append(_constant(term.constant))
    return parts[0] if len(parts) == 1 else f"<integer-sum>{''.join(parts)}</integer-sum>"


def _constant(value: int) -> str:
    sign = "-" if value < 0 else ""
    return f"<integer-constant>{sign}{digits(abs(value))}</integer-constant>"


def _place(name: str) -> str:
    if name != name.strip():
        raise InputError(f"{quoted(name)} begins or ends with a blank, which would be lost in XML")
    return f"<place>{escape(checked(name), {chr(13): '&#13;'})}</place>"

"""Trees of elements, for content that is read only when it is complete."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from petricheck.support.errors import InputError
from petricheck.support.words import MAX_DIGITS, counted, quoted

_WHOLE = re.compile(r"[-+]?[0-9]+")


ENUMERATIONS = ("cyclicenumeration", "finiteenumeration")

# Printable ASCII without characters that mean something in XML.
_PLAIN = "[ !#-%'-;=-~]"
CONSTANT = re.compile(
    f'[ \\t\\r\\n]*+<feconstant id="({_PLAIN}++)" name="({_PLAIN}*+)" ?/>', re.ASCII
)
"""A constant of an enumeration: id and name."""

CONSTANTS = re.compile(f"(?:{CONSTANT.pattern})++".replace(f"({_PLAIN}", f"(?:{_PLAIN}"), re.ASCII)
"""A run of constants."""


@dataclass(slots=True)
class Tree:
    """An element with its content.

    Attributes:
        tag: its local name.
        attributes: as written.
        line: of its start tag.
        path: of the file.
        children: elements in it.
        run: if it is a constant, the text of the constants directly behind it.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    path: str
    children: list[Tree] = field(default_factory=list)
    run: str = ""

    def error(self, message: str) -> InputError:
        """Return an error about this element."""
        return InputError(f"<{quoted(self.tag)[1:-1]}> {message}", path=self.path, line=self.line)

    def attribute(self, name: str) -> str:
        """Return an attribute that must be there.

        Raises:
            InputError: it is not.
        """
        value = self.attributes.get(name)
        if not value:
            raise self.error(f"has no {name}; give it one")
        return value

    def whole(self, name: str) -> int:
        """Return an attribute that is a whole number.

        Raises:
            InputError: it is none, or has too many digits.
        """
        value = self.attribute(name).strip()
        if not _WHOLE.fullmatch(value):
            raise self.error(f"has {name}={quoted(value)}; write a whole number")
        if len(value.lstrip("+-")) > MAX_DIGITS:
            raise self.error(
                f"has a {name} of {len(value)} digits; at most {MAX_DIGITS} are read, use smaller "
                "numbers"
            )
        return int(value)

    def parts(self, least: int = 1, most: int | None = None) -> list[Tree]:
        """Return the children, without the <subterm> around each.

        Raises:
            InputError: there are more than `most`, or fewer than `least`.
        """
        inner = [child.only() if child.tag == "subterm" else child for child in self.children]
        if len(inner) < least or (most is not None and len(inner) > most):
            count = f"{least}" if most == least else f"{least} to {most}" if most else "at least 1"
            raise self.error(f"has {counted(len(inner), 'part')}; give it {count}")
        return inner

    def only(self, tag: str = "") -> Tree:
        """Return the only child; it must have this tag if one is given.

        Raises:
            InputError: there is none, another one, or several.
        """
        if len(self.children) != 1:
            raise self.error(f"holds {len(self.children)} elements; it has to hold one")
        if tag and self.children[0].tag != tag:
            raise self.children[0].error(f"stands where only <{tag}> may")
        return self.children[0]

    def require_empty(self) -> None:
        """Require that it has no children.

        Raises:
            InputError: it has some.
        """
        if self.children:
            raise self.error(f"holds <{self.children[0].tag}>, which may change the meaning")

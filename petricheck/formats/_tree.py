"""Elements of a document with what stands in them, for what is read only when all is there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from petricheck.errors import InputError
from petricheck.words import MAX_DIGITS, counted, quoted

_WHOLE = re.compile(r"[-+]?[0-9]+")


ENUMERATIONS = ("cyclicenumeration", "finiteenumeration")

# Printable ASCII without what the parser of XML would look at.
_PLAIN = "[ !#-%'-;=-~]"
CONSTANT = re.compile(
    f'[ \\t\\r\\n]*+<feconstant id="({_PLAIN}++)" name="({_PLAIN}*+)" ?/>', re.ASCII
)
"""A constant of an enumeration: id and name."""

CONSTANTS = re.compile(f"(?:{CONSTANT.pattern})++".replace(f"({_PLAIN}", f"(?:{_PLAIN}"), re.ASCII)
"""Several of them."""


@dataclass(slots=True)
class Tree:
    """An element with what stands in it.

    Attributes:
        tag: its local name.
        attributes: as written.
        line: of its start tag.
        path: of the file.
        children: elements in it.
        run: text of constants that stand right behind it, which is one itself.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    path: str
    children: list[Tree] = field(default_factory=list)
    run: str = ""

    def error(self, message: str) -> InputError:
        """A refusal of this element."""
        return InputError(f"<{quoted(self.tag)[1:-1]}> {message}", path=self.path, line=self.line)

    def attribute(self, name: str) -> str:
        """An attribute that has to be there.

        Raises:
            InputError: it is not.
        """
        value = self.attributes.get(name)
        if not value:
            raise self.error(f"has no {name}; give it one")
        return value

    def whole(self, name: str) -> int:
        """An attribute that is a whole number.

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
            InputError: these are more than the most, or fewer than the least.
        """
        inner = [child.only() if child.tag == "subterm" else child for child in self.children]
        if len(inner) < least or (most is not None and len(inner) > most):
            count = f"{least}" if most == least else f"{least} to {most}" if most else "at least 1"
            raise self.error(f"has {counted(len(inner), 'part')}; give it {count}")
        return inner

    def only(self, tag: str = "") -> Tree:
        """The one element in it, and of this tag if one is given.

        Raises:
            InputError: there is none, another one, or several.
        """
        if len(self.children) != 1:
            raise self.error(f"holds {len(self.children)} elements; it has to hold one")
        if tag and self.children[0].tag != tag:
            raise self.children[0].error(f"stands where only <{tag}> may")
        return self.children[0]

    def require_empty(self) -> None:
        """Look that nothing stands in it.

        Raises:
            InputError: something does.
        """
        if self.children:
            raise self.error(f"holds <{self.children[0].tag}>, which may change the meaning")

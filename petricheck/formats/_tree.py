"""Elements of a document with what stands in them, for what is read only when all is there."""

from __future__ import annotations

from dataclasses import dataclass, field

from petricheck.errors import InputError
from petricheck.words import quoted


@dataclass(frozen=True, slots=True)
class Tree:
    """An element with what stands in it.

    Attributes:
        tag: its local name.
        attributes: as written.
        line: of its start tag.
        path: of the file.
        children: elements in it.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    path: str
    children: list[Tree] = field(default_factory=list)

    def error(self, message: str) -> InputError:
        """A refusal of this element."""
        return InputError(f"<{self.tag}> {message}", path=self.path, line=self.line)

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
            InputError: it is none.
        """
        value = self.attribute(name).strip()
        try:
            return int(value)
        except ValueError:
            raise self.error(f"has {name}={quoted(value)}; write a whole number") from None

    def parts(self, *counts: int) -> list[Tree]:
        """What stands in it, without the <subterm> around each; so many as one of the counts.

        Raises:
            InputError: there are more or fewer.
        """
        inner = [child.only() if child.tag == "subterm" else child for child in self.children]
        if counts and len(inner) not in counts:
            wanted = " or ".join(map(str, counts))
            raise self.error(f"has {len(inner)} parts, but needs {wanted}")
        return inner

    def only(self) -> Tree:
        """The one element in it.

        Raises:
            InputError: there is none, or several.
        """
        if len(self.children) != 1:
            raise self.error(f"holds {len(self.children)} elements; it has to hold one")
        return self.children[0]

"""The forms in which a net is drawn."""

from __future__ import annotations

from petricheck.drawing.dot import to_dot
from petricheck.drawing.drawable import Drawable
from petricheck.drawing.picture import NODES
from petricheck.drawing.svg import to_small_svg
from petricheck.errors import QueryError


def drawn(net: Drawable, form: str) -> str:
    """The net as svg or dot.

    Raises:
        QueryError: there is no such form, or the net is too large for it.
    """
    match form:
        case "dot":
            return to_dot(net)
        case "svg":
            if picture := to_small_svg(net):
                return picture
            raise QueryError(
                f"nets of more than {NODES} places and transitions are not drawn as svg; use 'dot' "
                "and Graphviz, which lays them out"
            )
        case _:
            raise QueryError(f"a net is drawn as 'svg' or 'dot', not as {form!r}")

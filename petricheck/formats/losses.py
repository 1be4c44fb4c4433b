"""What a file does not hold of the net that was written to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from sys import maxsize

from petricheck.formats.nets import format_of, map_path
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Net
from petricheck.support.errors import InternalError
from petricheck.support.files import expanded, pieces
from petricheck.support.words import counted


def losses(net: Net | GuardedNet, path: str | Path) -> str:
    """Return what the file that the net was written to does not hold; "" if it holds all.

    The file is read again, and its net compared with this one; InternalError if it behaves
    differently.
    """
    content = expanded(pieces(path, maxsize), path, maxsize)
    written, _ = format_of(path).read(content, str(path))
    assert isinstance(written, Net | GuardedNet)
    if _behaviour(written) != _behaviour(net):
        raise InternalError(f"{path} holds another net than was to be written")
    net, written = _plain(net), _plain(written)
    unnamed = Counter(_named(net)) - Counter(_named(written))
    lost = {
        "the final markings, on which --sound depends": net.finals != written.finals,
        f"the names of {counted(unnamed.total(), 'node')}": bool(unnamed),
        f"the colours, which are listed in {map_path(path)}": net.is_unfolded,
    }
    return "; ".join(text for text, is_lost in lost.items() if is_lost)


def _behaviour(net: Net | GuardedNet) -> Net | GuardedNet:
    plain = replace(_plain(net), labels=(), initials=None, origin=None, finals=())
    return plain if isinstance(net, Net) else replace(net, plain=plain)


def _plain(net: Net | GuardedNet) -> Net:
    return net if isinstance(net, Net) else net.plain


def _named(net: Net) -> Iterator[tuple[str, str]]:
    """Yield ids with human names, without surrounding space."""
    if net.origin is not None:
        pairs: Iterable[tuple[str, str]] = net.origin.labels.items()
    else:
        transitions = ((t.name, t.label) for t in net.transitions)
        pairs = chain(zip(net.places, net.labels, strict=False), transitions)
    yield from ((id_, label.strip()) for id_, label in pairs if label.strip())

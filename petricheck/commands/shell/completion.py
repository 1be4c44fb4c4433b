"""Completion of commands, files, members of families and names in a shell; click calls it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import click

from petricheck.arithmetic.formulas.text import name_to_text
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.errors import PetricheckError
from petricheck.support.files import GZIP
from petricheck.support.words import is_printable, natural_key

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MAX_BYTES = 4 << 20
"""Names in larger net files, and in compressed ones, are not completed: that could take long."""

MAX_UNFOLDED = 50_000
"""Names are completed for unfoldings of at most this number of places and transitions."""

MAX_NAMES = 200
"""At most this number of names is offered."""

_WORD = r'[^\s",<>=!()+*]'
_CALL = rf"(?!(?:enabled|fireable|not|and|or)\(){_WORD}+\(\(?[^()\"]*"
_LAST_NAME = re.compile(rf'(?:"[^"]*|(?<!{_WORD}){_CALL}|{_WORD}*)\Z')
"""The name, maybe in quotes or with colours, that a marking or formula ends in."""

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def complete_nets(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return files, and the commands that may stand in the place of a net."""
    from click.shell_completion import CompletionItem

    commands = getattr(context.command, "commands", dict)  # a `CommandGroup` has some
    names = sorted(commands())
    return [CompletionItem(incomplete, type="file"), *_items(incomplete, names)]


def complete_members(family: str) -> Completer:
    """Return a function that completes the names of members of a family."""
    return lambda context, parameter, incomplete: _items(incomplete, plugins.all_members(family))


def complete_names(names_of: Callable[[Net], tuple[str, ...]]) -> Completer:
    """Return a function that completes names in a question, where the net can be read."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from petricheck.formats.nets import read_net
        from petricheck.reports.survey.coloured import most_nodes

        last = _LAST_NAME.search(incomplete)
        prefix = last[0] if last else ""
        # click stops at the option without a value, before it has assigned the words before it.
        path = context.params.get("net") or next(iter(context.args), "")
        try:
            # The size of a compressed file's content is unknown.
            unreadable = path.lower().endswith(GZIP) or not os.path.isfile(path)
            if unreadable or os.path.getsize(path) > MAX_BYTES:
                return []
            file = read_net(path, context.params.get("net_id"))
            if file.coloured is not None and sum(most_nodes(file.coloured)) > MAX_UNFOLDED:
                return []
            net = file.net
            names = names_of(net)
            if net.origin and "(" not in prefix:  # Colours are offered after their place.
                names = tuple(
                    n for n in names if n in net.origin.places or n in net.origin.transitions
                )
        except (PetricheckError, OSError):
            return []
        # Names are written as in questions; those that cannot be printed are omitted.
        named = filter(is_printable, map(net.shown.node, names))
        shown = map(name_to_text, sorted(named, key=natural_key))
        return _items(prefix, shown, before=incomplete.removesuffix(prefix))[:MAX_NAMES]

    return complete


def _items(prefix: str, words: Iterable[str], before: str = "") -> list[CompletionItem]:
    """Return the words with this prefix, with the text before them."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(before + word) for word in words if word.startswith(prefix)]

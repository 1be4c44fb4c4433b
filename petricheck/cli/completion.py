"""What a shell completes: commands, files, members of families, names. click asks for it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import click

from petricheck import plugins
from petricheck.cli.command_group import CommandGroup
from petricheck.errors import PetricheckError
from petricheck.files import GZIP
from petricheck.presburger.text import name_to_text
from petricheck.problem import Net
from petricheck.words import natural_key

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MAX_BYTES = 4 << 20
"""Names in larger net files, and in compressed ones, are not completed: that could take long."""

NAMES = 200
"""So many names are offered."""

_LAST_NAME = re.compile(r'(?:"[^"]*|[^\s",<>=!()+*]*)\Z')
"""The name, maybe in quotes, that a marking or formula ends in."""

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def complete_nets(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Files, and the commands that may stand in the place of a net."""
    from click.shell_completion import CompletionItem

    command = context.command
    names = sorted(command.commands()) if isinstance(command, CommandGroup) else ()
    return [CompletionItem(incomplete, type="file"), *_beginning(incomplete, names)]


def complete_members(family: str) -> Completer:
    """The members of a family, by name."""
    return lambda context, parameter, incomplete: _beginning(incomplete, plugins.everywhere(family))


def complete_names(names_of: Callable[[Net], tuple[str, ...]]) -> Completer:
    """What the words of a question name, where the net stands before and can be read."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from petricheck.formats import read_net

        last = _LAST_NAME.search(incomplete)
        begun = last[0] if last else ""
        # click stops at the option that has no value yet, before it knows what the words are.
        path = context.params.get("net") or next(iter(context.args), "")
        try:
            # How large a compressed file is, is not known before.
            unreadable = path.lower().endswith(GZIP) or not os.path.isfile(path)
            if unreadable or os.path.getsize(path) > MAX_BYTES:
                return []
            names = names_of(read_net(path, context.params.get("net_id")).net)
        except (PetricheckError, OSError):
            return []
        # As questions name them; those that cannot be printed aside.
        shown = map(name_to_text, sorted(filter(str.isprintable, names), key=natural_key))
        return _beginning(begun, shown, before=incomplete.removesuffix(begun))[:NAMES]

    return complete


def _beginning(begun: str, words: Iterable[str], before: str = "") -> list[CompletionItem]:
    """The words that begin so, each with what stands before it."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(before + word) for word in words if word.startswith(begun)]

"""Commands with commands below them, which are imported where they are meant."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from petricheck.errors import suggestion


class CommandGroup(click.Command):
    """A command whose first word may name another one; a file of that name is written ./name.

    (click's own group takes nothing but the name of a command.)

    Attributes:
        modules: of the other commands, by name; each holds its command under the name `command`,
            or as MODULE:NAME says.
    """

    def __init__(self, modules: Mapping[str, str], **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = modules

    def get_command(self, name: str) -> click.Command:
        """One of the other commands; imports it."""
        module, _, attribute = self.modules[name].partition(":")
        command: click.Command = getattr(import_module(module), attribute or "command")
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context of whichever command is meant.

        Raises:
            click.UsageError: the first word is neither a file nor a command, but resembles one.
        """
        extra.setdefault("help_option_names", ["-h", "--help"])
        if args and args[0] in self.modules:
            name, *rest = args
            return self.get_command(name).make_context(f"{info_name} {name}", rest, parent, **extra)
        if args and not extra.get("resilient_parsing"):
            self._check_command(args[0])
        return super().make_context(info_name, args, parent, **extra)

    def _check_command(self, word: str) -> None:
        if os.path.exists(word) or not word.isalpha():
            return
        if meant := suggestion(word, self.modules):
            raise click.UsageError(f"there is no command and no file {word!r}{meant}")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The other commands."""
        with formatter.section("Other commands"):
            listed = [(n, self.get_command(n).get_short_help_str(80)) for n in sorted(self.modules)]
            formatter.write_dl(listed)

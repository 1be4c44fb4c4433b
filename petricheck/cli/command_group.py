"""Commands with commands below them, which are imported where they are meant."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from petricheck import plugins
from petricheck.errors import suggestion


class CommandGroup(click.Command):
    """A command whose first word may name another one; a file of that name is written ./name.

    (click's own group takes nothing but the name of a command.)

    Attributes:
        modules: of the other commands, by name; each holds its command under the name `command`,
            or as MODULE:NAME says.
        family: entry points of which group add more, `petricheck.FAMILY`; empty where none do.
    """

    def __init__(self, modules: Mapping[str, str], family: str = "", **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = modules
        self.family = family

    def commands(self) -> Mapping[str, str]:
        """The modules of all commands; looking for those of entry points takes a moment."""
        return {**plugins.entries(self.family), **self.modules} if self.family else self.modules

    def get_command(self, name: str) -> click.Command:
        """One of the other commands; imports it.

        Raises:
            click.UsageError: it is of another package, and cannot be imported.
        """
        module, _, attribute = (self.modules.get(name) or self.commands()[name]).partition(":")
        try:
            command: click.Command = getattr(import_module(module), attribute or "command")
        except (ImportError, AttributeError) as error:
            if module.startswith("petricheck."):
                raise
            raise click.UsageError(f"the command {name!r} cannot be imported: {error}") from None
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
        word, *rest = args or [""]
        if word in self.modules or (word.replace("-", "").isalnum() and word in self.commands()):
            command = self.get_command(word)
            return command.make_context(f"{info_name} {word}", rest, parent, **extra)
        if not extra.get("resilient_parsing"):
            self._check_command(word)
        return super().make_context(info_name, args, parent, **extra)

    def _check_command(self, word: str) -> None:
        if os.path.exists(word) or not word.isalpha():
            return
        if meant := suggestion(word, self.commands()):
            raise click.UsageError(f"there is no command and no file {word!r}{meant}")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The other commands."""
        with formatter.section("Other commands"):
            names = sorted(self.commands())
            formatter.write_dl([(n, self.get_command(n).get_short_help_str(80)) for n in names])

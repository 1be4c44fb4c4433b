"""Commands with commands below them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from petricheck.errors import suggestion


@dataclass(frozen=True)
class Commands(Mapping[str, click.Command]):
    """Commands by name, each in the module of its name; imported where it is meant.

    Attributes:
        names: of the commands.
    """

    names: tuple[str, ...]

    def __getitem__(self, name: str) -> click.Command:
        """The command; KeyError where there is none."""
        if name not in self.names:
            raise KeyError(name)
        command: click.Command = import_module(f"petricheck.cli.{name}").command
        return command

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.names)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.names)


class Branch(click.Command):
    """A command whose first word may name another one; a file of that name is written ./name.

    Attributes:
        commands: the others, by name.
    """

    def __init__(self, commands: Mapping[str, click.Command], **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = commands

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
        if args and args[0] in self.commands:
            name, *rest = args
            return self.commands[name].make_context(f"{info_name} {name}", rest, parent, **extra)
        if args and not extra.get("resilient_parsing"):
            self._check_command(args[0])
        return super().make_context(info_name, args, parent, **extra)

    def _check_command(self, word: str) -> None:
        if os.path.exists(word) or not word.isalpha():
            return
        if meant := suggestion(word, self.commands):
            raise click.UsageError(f"there is no command and no file {word!r}{meant}")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The other commands."""
        with formatter.section("Other commands"):
            listed = [(n, c.get_short_help_str(120)) for n, c in sorted(self.commands.items())]
            formatter.write_dl(listed)

"""Commands with commands below them."""

from __future__ import annotations

from typing import Any

import click


class Branch(click.Command):
    """A command whose first word may name another one; a file of that name is written ./name.

    Attributes:
        commands: the others, by name.
    """

    def __init__(self, commands: dict[str, click.Command], **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = commands

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context of whichever command is meant."""
        if args and args[0] in self.commands:
            name, *rest = args
            return self.commands[name].make_context(f"{info_name} {name}", rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The other commands."""
        with formatter.section("Other commands"):
            listed = [(n, c.get_short_help_str(120)) for n, c in sorted(self.commands.items())]
            formatter.write_dl(listed)

"""What the command `petricheck` does around all commands: help, failures, exit statuses."""

from __future__ import annotations

import gc
from typing import Any

import click

from petricheck.cli.command_group import CommandGroup
from petricheck.cli.outcomes import HELP, misread, outcome

_NEW_OBJECTS = 50_000
"""So many before the collector looks for cycles among them. Nets and formulas are many objects
without cycles, which it would go through again and again while they are made."""

COMMANDS = ("batch", "convert", "engines", "info", "mcc", "verify")
"""The other commands that are modules of this room, each of its name."""


class Program(CommandGroup):
    """The command of which all others are a part; without any word it explains itself."""

    def make_context(
        self, info_name: str | None, args: list[str], *of: Any, **extra: Any
    ) -> click.Context:
        """The context of whichever command is meant."""
        words = tuple(args)  # click takes from the list what it has read
        try:
            return super().make_context(info_name, args or ["--help"], *of, **extra)
        except click.ClickException as error:
            misread(error, words)
            raise

    def invoke(self, ctx: click.Context) -> None:
        """Run it; failures end as an exit status, never as a traceback."""
        gc.set_threshold(_NEW_OBJECTS)
        run = super().invoke if ctx.command is self else ctx.command.invoke
        ctx.exit(outcome(lambda: run(ctx)))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The other commands and the exit statuses."""
        super().format_epilog(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text(HELP)

"""The command `petricheck`: the question itself, unless the first word names another command."""

from __future__ import annotations

from typing import Any

import click

from petricheck import __version__
from petricheck.cli import bench, convert, decide, engines, info, verify
from petricheck.cli.outcomes import HELP, outcome


class Program(click.Command):
    """A command whose first word may name another one; a net of that name is written ./name.

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
        return super().make_context(info_name, args or ["--help"], parent, **extra)

    def invoke(self, ctx: click.Context) -> None:
        """Run it; failures end as an exit status, never as a traceback."""
        run = super().invoke if ctx.command is self else ctx.command.invoke
        ctx.exit(outcome(lambda: run(ctx)))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The other commands and the exit statuses."""
        with formatter.section("Other commands"):
            listed = [(n, c.get_short_help_str(120)) for n, c in sorted(self.commands.items())]
            formatter.write_dl(listed)
        formatter.write_paragraph()
        formatter.write_text(HELP)


main = Program(
    commands={
        "bench": bench.command,
        "convert": convert.command,
        "engines": engines.command,
        "info": info.command,
        "verify": verify.command,
    },
    name="petricheck",
    callback=decide.command.callback,
    params=[
        *decide.command.params,
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            help="Print the version and exit.",
            callback=lambda ctx, _, asked: _print_version(ctx, asked),
        ),
    ],
    help=decide.command.help,
)


def _print_version(ctx: click.Context, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"petricheck {__version__}")
        ctx.exit()

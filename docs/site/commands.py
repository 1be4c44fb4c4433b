"""The reference of the commands, as the commands themselves describe it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from petricheck.commands import main
from petricheck.commands.shell.command_group import CommandGroup

TITLE = "# Commands\n\n`petricheck COMMAND --help` prints the same in a terminal.\n"


def page() -> str:
    """Every command, the question itself first."""
    return "\n".join(
        (TITLE, *(_section(name, each) for name, each in commands("petricheck", main)))
    )


def commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """The command with its full name, and then all below it."""
    yield name, command
    if isinstance(command, CommandGroup):
        for word in sorted(command.commands()):
            yield from commands(f"{name} {word}", command.get_command(word))


def _section(name: str, command: click.Command) -> str:
    # So the command adds the options that it has only where they are named.
    context = command.make_context(
        name, [], resilient_parsing=True, help_option_names=["-h", "--help"]
    )
    usage = " ".join((name, *command.collect_usage_pieces(context)))
    text = re.sub(r"\s+", " ", (command.help or "").replace("\n\n", "\0")).replace("\0", "\n\n")
    rows = [row for row in (_row(p, context) for p in command.params) if row]
    table = ["| option | meaning |", "|---|---|", *rows, ""] if rows else []
    return "\n".join((f"## {name}", "", f"```text\n{usage}\n```", "", escaped(text), "", *table))


def _row(parameter: click.Parameter, context: click.Context) -> str:
    record = parameter.get_help_record(context)
    if not record or not record[1]:
        return ""
    return f"| <code>{escaped(record[0])}</code> | {escaped(record[1])} |"


def escaped(text: str) -> str:
    """The text, which is no Markdown."""
    return text.translate({ord(sign): f"&#{ord(sign)};" for sign in "\\<>|*_[]&`"})

"""Commands with subcommands, and `petricheck` itself, which is one.

A subcommand is imported when it is called. `Program` adds what all commands share: help,
failures, exit statuses.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import click

from petricheck.commands.shell.exit_status import HELP, outcome, report_misread
from petricheck.commands.shell.options import question_options
from petricheck.questions.kind import FAMILY, kind_names
from petricheck.support import plugins
from petricheck.support.errors import suggestion

_NEW_OBJECTS = 50_000
"""The number of new objects before the garbage collector searches for cycles. Nets and formulas are
many objects without cycles, so that frequent searches would waste time."""

EXAMPLES = (
    "net.pnml --cover 'p1=1, p3=2'",
    "net.pnml --deadlock --timeout 60 --evidence e.json",
    "verify net.pnml e.json",
)
"""Command lines that the help shows."""

COMMANDS = ("batch", "convert", "engines", "info", "mcc", "verify")
"""The subcommands that are modules of this package, by their names."""


class CommandGroup(click.Command):
    """A command whose first word may be a subcommand; a file of that name is written ./name.

    (click's own group accepts nothing but the name of a subcommand.)

    Attributes:
        modules: of the subcommands, by name; each defines its command under the name `command`, or
            as MODULE:NAME says.
        hint: ends the message about a word that resembles no subcommand.
        family: the group of entry points, `petricheck.FAMILY`, of more subcommands; empty for none.
    """

    hint = ""

    def __init__(self, modules: Mapping[str, str], family: str = "", **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = modules
        self.family = family

    def commands(self) -> Mapping[str, str]:
        """Return the modules of all subcommands; searching entry points takes a moment."""
        return {**plugins.entries(self.family), **self.modules} if self.family else self.modules

    def get_command(self, name: str) -> click.Command:
        """Import a subcommand, and return it; click.UsageError where another package's fails."""
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
        """Return the context of the command, or of the subcommand in the first word.

        click.UsageError where this is neither a file nor a command, but resembles one.
        """
        extra.setdefault("help_option_names", ["-h", "--help"])
        word, *arguments = args or [""]
        if word in self.modules or (_may_name(word) and word in self.commands()):
            command = self.get_command(word)
            return command.make_context(f"{info_name} {word}", arguments, parent, **extra)
        if not extra.get("resilient_parsing"):
            self._check_command(word)
        return super().make_context(info_name, args, parent, **extra)

    def _check_command(self, word: str) -> None:
        if os.path.exists(word) or not word.isalpha():
            return
        if meant := suggestion(word, self.commands()) or self.hint:
            raise click.UsageError(f"there is no command and no file {word!r}{meant}")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of other commands."""
        with formatter.section("Other commands"):
            formatter.write_dl([(name, self._short_help(name)) for name in sorted(self.commands())])

    def _short_help(self, name: str) -> str:
        try:
            return self.get_command(name).get_short_help_str(80)
        except click.UsageError as error:  # Another package's mistake must not break the help.
            return error.message


def _fail(error: OSError) -> None:
    raise error


def _may_name(word: str) -> bool:
    """Return whether a command may have this name: then other packages are searched."""
    return word.replace("-", "").isalnum() and not word.startswith("-")


class Program(CommandGroup):
    """The command above all others; without any word it prints its help.

    Its questions are options that are added when words name them, as kinds take time to import.
    """

    hint = "; ask with: petricheck NET --target 'p1=1', or see: petricheck help"

    def make_context(
        self, info_name: str | None, args: list[str], *arguments: Any, **extra: Any
    ) -> click.Context:
        """Return the context of the command that the words call."""
        words = tuple(args)  # click takes from the list what it has read
        if words[:1] == ("help",) and not os.path.exists("help"):
            args = [*(word for word in words[1:] if word != "help"), "--help"]
        if words == ("version",) and not os.path.exists("version"):
            args = ["--version"]
        try:
            return super().make_context(info_name, args or ["--help"], *arguments, **extra)
        except click.ClickException as misread:
            from petricheck.commands.shell.mistakes import (
                with_remedy,  # most command lines have none
            )

            error = with_remedy(misread, words)
            report_misread(error, words)
            raise error from None
        except OSError as error:  # help, the version and the like are printed while it is made
            raise click.exceptions.Exit(outcome(partial(_fail, error))) from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a question; click.UsageError where other words follow the net."""
        ctx.allow_extra_args = True
        self._add_questions(args, every=ctx.resilient_parsing)
        unread = super().parse_args(ctx, args)
        if ctx.resilient_parsing:
            return unread
        if any(isinstance(v, str) and v.startswith("--") for v in ctx.params.values()):
            from petricheck.commands.shell.mistakes import option_as_text

            if message := option_as_text(ctx.params, self.get_params(ctx)):
                ctx.fail(message)
        if unread:
            from petricheck.commands.shell.mistakes import unexpected_words

            ctx.fail(unexpected_words(unread, ctx.params, self.commands()))
        return unread

    def _add_questions(self, words: Sequence[str], *, every: bool) -> None:
        """Add the options for the questions that the words name; for all, where help may follow."""
        known = {name for parameter in self.params for name in parameter.opts}
        unknown = {word.partition("=")[0] for word in words if word.startswith("-")} - known
        kinds = {name: plugins.as_option(name) for name in plugins.members(FAMILY)}
        every |= not unknown.issubset(kinds.values())
        missing = [name for name, option in kinds.items() if option not in known]
        question_options(name for name in missing if every or kinds[name] in unknown)(self)

    def invoke(self, ctx: click.Context) -> None:
        """Run the command; failures end as an exit status, never as a traceback."""
        gc.set_threshold(_NEW_OBJECTS)
        run = super().invoke if ctx.command is self else ctx.command.invoke
        ctx.exit(outcome(lambda: run(ctx)))

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words of the usage line."""
        return ["NET", "QUESTION", "[OPTIONS]"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, first those of questions."""
        questions = (*kind_names(), "properties")
        rows: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
        options = {p.name: p for p in self.get_params(ctx) if isinstance(p, click.Option)}
        for name in dict.fromkeys((*questions, *options)):
            if record := options[name].get_help_record(ctx):
                rows[name in questions].append(record)
        for heading, is_question in (("Questions", True), ("Options", False)):
            with formatter.section(heading):
                formatter.write_dl(rows[is_question])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the other commands, examples and the exit statuses."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Examples"):
            formatter.write("".join(f"  petricheck {words}\n" for words in EXAMPLES))
        formatter.write_paragraph()
        formatter.write_text(HELP)

"""`petricheck --warm-up`: what is compiled once is compiled now, as an installation may want."""

from __future__ import annotations

import click

from petricheck.budget import Event
from petricheck.cli.outcomes import Status, outcome
from petricheck.cli.terminal import complain, progress, say


def warm_up(context: click.Context, _: click.Parameter, value: bool) -> None:
    """The callback of the option; ends the command."""
    if value:
        context.exit(outcome(_compile))


def _compile() -> None:
    from petricheck.kernel.compiled import compile_all, folder, is_compiled, status  # numpy

    with progress(verbose=False) as watch:
        compile_all(lambda: watch(Event("warming up")))
    if not is_compiled():
        complain(status())
        raise click.exceptions.Exit(Status.UNKNOWN)
    say(f"All loops are compiled; they are kept in {folder()}.")

"""`petricheck --warm-up`: compile the inner loops now, for example after an installation."""

from __future__ import annotations

import click

from petricheck.commands.shell.exit_status import Status, outcome
from petricheck.commands.shell.terminal import complain, progress, say
from petricheck.support.budget import Event


def warm_up(context: click.Context, _: click.Parameter, value: bool) -> None:
    """Compile the inner loops, and end the command; the callback of the option."""
    if value:
        context.exit(outcome(_compile))


def _compile() -> None:
    from petricheck.explicit.kernel.compiled import (  # numpy
        compile_all,
        folder,
        is_compiled,
        status,
    )

    with progress(verbose=False) as watch:
        compile_all(lambda: watch(Event("warming up")))
    if not is_compiled():
        complain(status())
        raise click.exceptions.Exit(Status.UNKNOWN)
    say(f"All loops are compiled; they are stored in {folder()}.")

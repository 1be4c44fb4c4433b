"""`petricheck info NET`.

Its JSON object has `net` (file, name, sha256, warnings), for a coloured net `coloured` (the keys
of `survey.coloured`), then the keys of `survey.forms`, then `names` as in answers, then `reason`
and `ending`: why parts are missing, else null; `ending` is a word of `support.errors.Ending`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from petricheck.commands.answers.json_answer import (
    json_lines,
    net_fields,
    reason_fields,
)
from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.files import net_file
from petricheck.commands.shell.limits import (
    ANSWER,
    INTERRUPTED,
    answer_with,
    limited,
    prepare_cutoff,
    refreshed,
)
from petricheck.commands.shell.options import json_option, limit_options, net_options
from petricheck.commands.shell.terminal import complain, say
from petricheck.evidence.answer import Unknown
from petricheck.formats.nets import NetFile
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.node_names import with_names
from petricheck.support.errors import BudgetExhausted

if TYPE_CHECKING:
    from petricheck.reports.survey import Survey


@click.command()
@net_options
@limit_options
@json_option
def command(
    net: str, net_id: str | None, timeout: float | None, memory: int | None, as_json: bool
) -> None:
    """Describe a net: its class, invariants, bounds and siphons.

    At a limit it prints what it has by then, and exits with status 1.
    """
    from petricheck.reports.survey import Survey, surveys

    with limited(timeout, memory, partial(_print_survey, as_json, None, None)) as budget:
        file = net_file(net, net_id, quiet=True)
        survey: Survey | None = None
        ended = None

        def at_cutoff(answer: Unknown) -> Status:
            return _print_survey(as_json, file, survey, answer)

        prepare = partial(prepare_cutoff, ANSWER, at_cutoff, budget)
        try:
            if file.coloured is not None:
                prepare()  # It is printed if the unfolding takes too long.
            survey = Survey(file.net)
            with refreshed(lambda: survey and survey.missing, prepare):
                for more in surveys(file.net, budget):
                    survey = more
        except BudgetExhausted as error:
            ended = Unknown(str(error), ending=error.ending)
        except KeyboardInterrupt:
            ended = INTERRUPTED
        status = answer_with(lambda: _print_survey(as_json, file, survey, ended))
    exit_with(Status.INTERRUPTED if ended is INTERRUPTED else status)


def _print_survey(
    as_json: bool, file: NetFile | None, survey: Survey | None, ended: Unknown | None
) -> Status:
    from petricheck.reports.survey.forms import survey_fields, survey_lines

    coloured = None if file is None else file.coloured
    guarded = file.source if file is not None and isinstance(file.source, GuardedNet) else None
    if guarded is not None:
        from petricheck.reports.survey.guarded import guarded_fields, guarded_lines
    if coloured is not None:
        from petricheck.reports.survey.coloured import coloured_fields, coloured_lines
    if as_json:
        net = None if file is None else net_fields(file)
        facts = {} if coloured is None else {"coloured": coloured_fields(coloured)}
        if guarded is not None and file is not None:
            facts = {"guarded": guarded_fields(guarded, file.net)}
        facts |= {} if survey is None else survey_fields(survey)
        if (described := coloured if survey is None else survey.net) is not None:
            facts = with_names(described.shown, facts)
        ending = reason_fields(ended)
        say(
            json_lines(
                {"net": net, **facts, "reason": ending["reason"], "ending": ending["ending"]}
            )
        )
    elif file is not None:
        before = () if coloured is None else tuple(coloured_lines(coloured))
        if guarded is not None:
            before = tuple(guarded_lines(guarded, file.net))
        after = () if survey is None else survey_lines(file, survey)
        say("\n".join((*before, *after)))
    if ended is None:
        return Status.DECIDED
    complain(ended.reason)
    return Status.UNKNOWN

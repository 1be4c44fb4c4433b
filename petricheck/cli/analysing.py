"""A question that several claims answer together: `petricheck NET --bounded`.

With --json one object is printed. Keys: `analysis`, `question` (its text), those of
`record.finding_fields`, `reason`, `hint` and `ending` (why it is no answer, else null), `net`,
`evidence` (`{"claims": …}` as in files of claims, or `{"file": …}`), `audits` (how each claim was
checked), `seconds`, `versions`. Where a limit ends the command before the net is read, there are
only `analysis`, `finding` (null), `reason` and `ending`. Where it ends the command before all this
is told, there are only `analysis`, `question`, those of `record.finding_fields`, `evidence` (null)
and `report` (why there is no more).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from petricheck.analyses import Analysed, Study, run, so_far
from petricheck.answer import Unknown
from petricheck.budget import Budget
from petricheck.claim_files import claim_fields, write_claims
from petricheck.cli.asking import limits_on_all, read_net_of
from petricheck.cli.claims import claims_text
from petricheck.cli.findings import INTERRUPTED
from petricheck.cli.limits import ANSWER, answer_with, keep_late, kept_up_to_date
from petricheck.cli.outcomes import Status, complain_of
from petricheck.cli.record import finding_fields, json_lines, net_fields, versions
from petricheck.cli.request import Request, check_analysing
from petricheck.cli.terminal import say, say_verdict
from petricheck.errors import Ending, PetricheckError
from petricheck.formats import NetFile
from petricheck.problem import Net
from petricheck.queries import question_text
from petricheck.words import counted, printable


def decide_analysis(request: Request, kind: str, text: str, options: dict[str, str]) -> Status:
    """Answer it with an engine that has these options, and tell what was found."""
    check_analysing(request, options)
    with limits_on_all(request, request.timeout, partial(_tell_unread, request, kind)) as budget:
        file = read_net_of(request)
        words = question_text(text)
        study = Study(
            file.net, request.engine, options, budget, request.second_solver, request.quiet
        )

        def late(answer: Unknown) -> int:
            return _tell_late(request, file, so_far(kind, words, study, answer))

        keep_again = partial(keep_late, ANSWER, late, budget)
        try:
            with kept_up_to_date(lambda: len(study.claims), keep_again):
                found = run(kind, words, study)
        except KeyboardInterrupt:
            found = so_far(kind, words, study, INTERRUPTED)
        return answer_with(lambda: _report(request, file, found, budget))


def _report(request: Request, file: NetFile, found: Analysed, budget: Budget) -> Status:
    """Write the evidence and tell of it; how the command ends."""
    if found.finding.complete:
        # The answer is not lost where its report takes longer than the limit.
        keep_late(ANSWER, partial(_tell_briefly, request, found), budget)
    failure = keep(request.evidence, file, found)
    kept = request.evidence if failure is None else None
    unwritten = _draw(request, file, found, kept)
    _say(request, file, found, kept, request.html if unwritten is None else None)
    if (failed := failure or unwritten) is not None:
        return complain_of(failed)
    return status(found)


def _draw(
    request: Request, file: NetFile, found: Analysed, kept: str | None
) -> PetricheckError | None:
    """Write the page where that is wanted; a failure is returned."""
    if request.html is None:
        return None
    from petricheck.cli.page import keep_analysis_page  # most runs write none

    return keep_analysis_page(file, found, kept, request.html, request)


def _say(
    request: Request, file: NetFile, found: Analysed, evidence: str | None, page: str | None
) -> None:
    """Tell the answer, and the files that were written."""
    if request.as_json:
        say(json_lines(fields(file, found, evidence)))
    elif request.quiet:
        say_verdict(found.finding.headline)
    else:
        say_answer(lines(request, file.net, found, evidence, page))


def _tell_unread(request: Request, kind: str, answer: Unknown) -> Status:
    """Tell that the command ended before the net was read."""
    unread = {"analysis": kind, "finding": None, "reason": answer.reason}
    unread["ending"] = answer.ending.value
    say(json.dumps(unread) if request.as_json else f"unknown: {answer.reason}")
    return Status.UNKNOWN


def _tell_briefly(request: Request, found: Analysed, late: Unknown) -> Status:
    """Tell the answer where the limit came before the whole report."""
    answer = found.finding
    if request.as_json:
        brief = {"analysis": found.kind, "question": found.question, **finding_fields(answer)}
        say(json.dumps(brief | {"evidence": None, "report": late.reason}))
    elif request.quiet:
        say_verdict(answer.headline)
    else:
        told = f"Its evidence passed the audit; {late.reason}: no report."
        say_answer((answer.headline, *answer.details, told))
    return status(found)


def _tell_late(request: Request, file: NetFile, found: Analysed) -> Status:
    """Tell what is proved by now, without the evidence itself unless it goes to a file."""
    kept = request.evidence if keep(request.evidence, file, found) is None else None
    if request.as_json or request.quiet:
        _say(request, file, found, kept, None)
    else:
        say_answer(summary(found, kept))
    return status(found)


def keep(path: str | None, file: NetFile, found: Analysed) -> PetricheckError | None:
    """Write the evidence where that is wanted; a failure is returned, since claims stand."""
    if path is None:
        return None
    try:
        write_claims(path, found.claimed(file.net.name, file.sha256))
    except PetricheckError as error:
        return error
    return None


def status(found: Analysed) -> Status:
    """How a command ends with this answer; one that is complete stands, whatever ended it."""
    if found.finding.complete:
        return Status.DECIDED
    interrupted = found.unknown is not None and found.unknown.ending is Ending.INTERRUPTED
    return Status.INTERRUPTED if interrupted else Status.UNKNOWN


def say_answer(report: Iterable[str], before: str = "") -> None:
    """Tell a report from `lines`, and what stands before it; its answer is coloured."""
    answer, *rest = report
    say_verdict(answer, "".join(f"\n{line}" for line in rest), before=before)


def lines(
    request: Request, net: Net, found: Analysed, evidence: str | None, page: str | None = None
) -> Iterator[str]:
    """The report, the answer first."""
    told = claims_text(found.claims, net, whole_traces=request.trace, invariant=request.invariant)
    yield from _report_lines(found, told, evidence, page)


def summary(found: Analysed, evidence: str | None) -> Iterator[str]:
    """The same with nothing shown of the claims but how many there are."""
    yield from _report_lines(found, (), evidence, None)


def _report_lines(
    found: Analysed, claims: Iterable[str], evidence: str | None, page: str | None
) -> Iterator[str]:
    yield found.finding.headline
    yield from found.finding.details
    if found.unknown is not None:
        yield f"The search ended: {printable(found.unknown.reason)}."
    yield from claims
    if found.audits:
        checked = "; ".join(dict.fromkeys(map(printable, found.audits)))
        yield f"Audit of {counted(len(found.audits), 'claim')}: {checked}."
    if evidence is not None:
        yield f"The evidence is in {printable(evidence)}."
    if page is not None:
        yield f"The page is {printable(page)}."
    yield f"{found.seconds:.3f} s."


def fields(file: NetFile, found: Analysed, evidence: str | None) -> dict[str, Any]:
    """The same for programs."""
    unknown = found.unknown
    claims = {"claims": [claim_fields(claim) for claim in found.claims]}
    return {
        "analysis": found.kind,
        "question": found.question,
        **finding_fields(found.finding),
        "reason": None if unknown is None else unknown.reason,
        "hint": None if unknown is None else unknown.hint,
        "ending": None if unknown is None else unknown.ending.value,
        "net": net_fields(file),
        "evidence": claims if evidence is None else {"file": evidence},
        "audits": list(found.audits),
        "seconds": round(found.seconds, 6),
        "versions": versions(),
    }

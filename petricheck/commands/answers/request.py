"""The words of `petricheck NET …` as a value, and the checks that they go together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import click

from petricheck.commands.engines import SHORTEST
from petricheck.commands.shell.files import net_file
from petricheck.commands.shell.limits import AtCutoff, limited
from petricheck.commands.shell.options import Texts, given_question
from petricheck.evidence.files import check_evidence_file
from petricheck.formats.language.quantifier import HOLDS
from petricheck.formats.nets import NetFile
from petricheck.questions import Setting
from petricheck.questions.kind import is_target, kind_names, kind_of
from petricheck.questions.question import question_text
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError
from petricheck.support.outputs import check_apart, check_output
from petricheck.support.plugins import as_option

ABSTRACTIONS = (".dot", ".json")
"""The extensions of files for the graphs that engines draw, of abstractions."""


@dataclass(frozen=True, slots=True)
class Request:
    """The command line without the engine; each field is an option's name."""

    net: str
    net_id: str | None
    initial: str | None
    questions: Texts
    properties: str | None
    selected: tuple[str, ...]
    mcc: bool
    timeout: float | None
    timeout_all: float | None
    memory: int | None
    expect: str | None
    evidence: str | None
    earlier: str | None
    html: str | None
    graph: str | None
    trace: bool
    invariant: str | None
    as_json: bool
    quiet: bool
    verbose: bool

    def read_net(self) -> NetFile:
        """Return the net of this name, with the initial markings; warn about its file."""
        file = net_file(self.net, self.net_id, quiet=self.quiet)
        return file if self.initial is None else file.starting(question_text(self.initial))

    def limits(
        self, seconds: float | None, at_cutoff: AtCutoff | None = None
    ) -> AbstractContextManager[Budget]:
        """Return a budget of this many seconds, with the allowed memory.

        With `at_cutoff` it counts from the beginning of the command, else from now.
        """
        # The user's limit that is reached first.
        limits = (self.timeout, self.timeout_all)
        return limited(
            seconds,
            self.memory,
            at_cutoff,
            limit=min((limit for limit in limits if limit is not None), default=None),
            verbose=self.verbose,
            whole=at_cutoff is not None,
        )


def check_question(request: Request) -> tuple[str, str] | None:
    """Return the kind and the words of the question; None where it is no single question.

    click.UsageError where options do not go together.
    """
    question, single = given_question(request.questions), request.properties is None
    if question is not None and not single:
        option = as_option(question[0])
        raise click.UsageError(f"{option} asks one question and --properties many; choose one")
    html, expect = request.html is not None, request.expect not in (None, HOLDS)
    wrong = {
        "--property and --mcc go with --properties": single and (request.selected or request.mcc),
        "--timeout-all goes with --properties; one question has --timeout": (
            question is not None and request.timeout_all is not None
        ),
        "--html goes with one question; a batch has a page for many": html and not single,
        f"--expect goes with one question; with --properties write --expect {HOLDS}": (
            expect and not single
        ),
        "--mcc and --json choose the form of the output; give one of them": (
            request.mcc and request.as_json
        ),
    }
    if single and question is None:
        wrong |= _without_question(request)
    for why, given in wrong.items():
        if given:
            raise click.UsageError(why)
    return question


def _without_question(request: Request) -> dict[str, bool]:
    """Return why options are refused where no question is asked, and whether they are given."""
    given = {
        "--initial": request.initial is not None,
        "--expect": request.expect is not None,
        "--evidence": request.evidence is not None,
        "--from": request.earlier is not None,
        "--graph": request.graph is not None,
        "--trace": request.trace,
        "--invariant": request.invariant is not None,
    }
    add = "goes with a question; add one, such as --deadlock ('petricheck --help' lists all)"
    return {f"{option} {add}": is_given for option, is_given in given.items()}


def check_kind(kind: str, setting: Setting) -> None:
    """Refuse options that are only for questions with one target."""
    if is_target(kind_of(kind)):
        return
    drawn = [as_option(name) for name in kind_names() if kind_of(name).drawn]
    for name, others in (("graph", drawn), ("log", [])):
        if name in setting.options:
            kinds = " and ".join(["questions after reachability", *others])
            raise QueryError(f"--{name} goes with {kinds}")
    if setting.engine == SHORTEST:
        raise QueryError("--shortest goes with questions after reachability")


def check_outputs(request: Request, options: Mapping[str, str]) -> None:
    """Refuse files, before the search, that cannot be written after it."""
    outputs = {"evidence": request.evidence, "html": request.html, "graph": request.graph}
    named = [path for path in outputs.values() if path is not None]
    for name, path in outputs.items():
        if path == "":
            raise QueryError(f"--{name} names no file; name one, or omit the option")
    for path in (*named, *_drawn(options)):
        check_output(path)
    if request.evidence is not None:
        question = given_question(request.questions)
        # Other files hold one certificate.
        several = question is not None and not is_target(kind_of(question[0]))
        extensions = [".json"] if several else [*plugins.by_extension("evidence.files")]
        if os.path.splitext(request.evidence)[1].lower() not in extensions:
            raise QueryError(f"{request.evidence}: evidence files end in {' or '.join(extensions)}")
        check_evidence_file(request.evidence)
    if request.graph:
        _check_graph(request.graph, [*plugins.by_extension("reports.graphs")], "markings")
    _check_graph(options.get("graph"), ("", *ABSTRACTIONS), "abstractions")
    check_outputs_apart(request, options, named)


def _check_graph(path: str | None, extensions: Sequence[str], nodes: str) -> None:
    if path and os.path.splitext(path)[1].lower() not in extensions:
        endings = " or ".join(filter(None, extensions))
        raise QueryError(f"{path}: graphs of {nodes} end in {endings}")


def _drawn(options: Mapping[str, str]) -> list[str]:
    """Return the files that the engine writes."""
    return [options[name] for name in ("graph", "log") if options.get(name)]


def check_outputs_apart(
    request: Request, options: Mapping[str, str], outputs: Sequence[str]
) -> None:
    """Refuse outputs that would replace an input or another output, by a QueryError."""
    questions = [text for text in request.questions.values() if isinstance(text, str)]
    files = [text[1:] for text in (*questions, request.initial or "") if text.startswith("@")]
    read = [request.net, request.properties, options.get("predicates"), *files]
    check_apart([path for path in read if path], [*outputs, *_drawn(options)])

"""`petricheck convert IN OUT`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import click

from petricheck.commands.shell.exit_status import Status
from petricheck.commands.shell.files import net_file
from petricheck.commands.shell.limits import limited
from petricheck.commands.shell.options import (
    given_question,
    limit_options,
    net_id_option,
    question_options,
)
from petricheck.commands.shell.terminal import complain, warn
from petricheck.evidence.answer import Unknown
from petricheck.formats import exports
from petricheck.formats import nets as formats
from petricheck.formats.language.quantifier import Quantifier
from petricheck.formats.language.sums import summed
from petricheck.formats.losses import losses
from petricheck.formats.nets import net_bytes, write_map
from petricheck.model.drawing.forms import drawn
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions import make_question
from petricheck.questions.colours import with_question
from petricheck.support.errors import InputError, QueryError
from petricheck.support.files import suffix
from petricheck.support.outputs import check_apart, store
from petricheck.support.plugins import as_option
from petricheck.support.words import printable

_VIOLATION = "one that does not: the property holds where that is unreachable"

PICTURES = (".svg", ".dot")
"""The extensions of pictures of nets."""


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target_file", metavar="OUT")
@net_id_option
@question_options(targets=True)
@click.option("--properties", metavar="FILE", help="Read the question from a file of properties.")
@click.option("--property", "selected", metavar="ID", help="The property of that file.")
@click.option("--ordinary", is_flag=True, help="Write a guarded net as an ordinary one.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@limit_options
def command(
    source: str,
    target_file: str,
    net_id: str | None,
    properties: str | None,
    selected: str | None,
    ordinary: bool,
    force: bool,
    timeout: float | None,
    memory: int | None,
    **texts: str | bool | None,
) -> None:
    """Write a net, and a question, in the format of another tool.

    The extension of OUT chooses the format. A question is written into OUT if this is .spec or
    .smt2 (Horn clauses: sat means unreachable), else into a second file of the same name (.xml or
    .formula). If OUT itself ends in .xml or .formula, only the question is written. A coloured net
    is unfolded; a file of the same name, .map.json, lists the colours and bindings of its places
    and transitions. Inhibitor arcs, capacities and resets are written where the format has them;
    with --ordinary, complement places take their place. An OUT that ends in .svg or .dot (for
    Graphviz) is a picture of the net, of a coloured one before it is unfolded.
    """
    extensions = dict.fromkeys(
        (*formats.written_extensions(), *exports.known_extensions(), *PICTURES)
    )
    if suffix(target_file) not in extensions:
        endings = ", ".join(extensions)
        raise QueryError(f"{target_file}: the output must end in {endings}, maybe followed by .gz")
    with limited(timeout, memory, _report_cutoff):
        if suffix(target_file) in PICTURES:
            if properties is not None or given_question(texts):
                message = "a question is answered first: petricheck NET QUESTION --html FILE"
                raise QueryError(
                    f"{target_file} is a picture of a net without a question; {message}"
                )
            _check_new([source], [target_file], force)
            picture = drawn(net_file(source, net_id).source, suffix(target_file)[1:])
            store(target_file, f"{picture.rstrip()}\n".encode())
            return
        file, problem = net_file(source, net_id), None
        own = file.source if isinstance(file.source, GuardedNet) and not ordinary else None
        if own is None or properties is not None or given_question(texts):
            file, problem = with_question(
                file, lambda net: _problem(net, source, properties, selected, texts)
            )
        net = own or file.net
        net_path, question = _outputs(target_file, problem)
        if own is not None and problem is not None:
            if exports.contains_net(target_file):
                raise InputError("holds ordinary nets only; add --ordinary", path=target_file)
            problem = replace(problem, target=summed(file.net, problem.target))
        map_path = None
        if net_path is not None and isinstance(net, Net) and net.is_unfolded:
            map_path = str(formats.map_path(net_path))
        written = [path for path in (net_path, map_path, question) if path is not None]
        _check_new([path for path in (source, properties) if path], written, force)
        data = b"" if net_path is None else net_bytes(net, net_path)
        # The question is written first: it may still be refused, and then nothing is written.
        if question is not None and problem is not None:
            exports.write_question(problem, question)
        if map_path is not None:
            write_map(file, map_path)
            if file.net.origin is not None and file.net.origin.merging is not None:
                warn(
                    target_file,
                    "the unfolding is large, so colours that behave alike are merged: "
                    f"questions may name places and transitions, no colours; see {map_path}",
                )
        if net_path is not None:
            store(net_path, data)
        for path in written:
            if suffix(path) in formats.written_extensions() and (lost := losses(net, path)):
                warn(path, f"left out, as this format cannot hold it: {lost}")
        if net.added and suffix(target_file) != ".spec":
            warn(
                target_file,
                "initial values that are not fixed became transitions; questions after deadlocks "
                "would be answered wrongly from this file",
            )


def _check_new(read: Sequence[str], written: Sequence[str], force: bool) -> None:
    """Refuse outputs that exist, without --force, and those that would replace an input."""
    for path in written:
        if os.path.exists(path) and not force:
            raise InputError("exists already; --force replaces it", path=path)
    check_apart(read, written)


def _report_cutoff(answer: Unknown) -> Status:
    complain(f"{answer.reason}: not everything is written")
    return Status.UNKNOWN


def _outputs(path: str, problem: Problem | None) -> tuple[str | None, str | None]:
    """Return the files for the net and for the question; None where there is no such file."""
    if suffix(path) in exports.known_extensions():
        if problem is None:
            raise QueryError(f"{path} is a file for a question; add one, such as --cover 'p1=1'")
        return None, path
    if problem is None:
        return path, None
    question = exports.question_path(path)
    if question is None:
        raise QueryError(f"no format of questions goes with nets such as {path}")
    return path, str(question)


def _problem(
    net: Net,
    source: str,
    path: str | None,
    selected: str | None,
    texts: dict[str, str | bool | None],
) -> Problem | None:
    """Return the question of the command line or of the file of properties, if any."""
    question = given_question(texts)
    if path is None:
        if selected is not None:
            raise QueryError("--property goes with --properties")
        if question is None:
            return None
        asked = make_question(net, *question)
        if asked.reached is False:
            option = as_option(asked.kind)
            warn(source, f"{option} speaks of all markings; what is written asks for {_VIOLATION}")
        return asked.problem
    if question is not None:
        raise QueryError("--properties and another question are given; ask one at a time")
    # Not at the top: most conversions need none of it.
    from petricheck.commands.answers.property_file import read_named_questions

    chosen = read_named_questions(path, net, () if selected is None else (selected,))
    if len(chosen) > 1:
        raise QueryError(f"{path} has {len(chosen)} properties; choose one with --property")
    (named,) = chosen
    if isinstance(named.question, Unknown):
        raise QueryError(f"{path}: {named.question.reason}")
    if named.question.target is None:
        raise QueryError(f"{path}: {named.name} is no question after one target to be converted")
    if named.quantifier is Quantifier.ALWAYS:
        warn(
            path,
            f"{printable(named.name)} says that all markings satisfy something; what is "
            f"written asks for {_VIOLATION}",
        )
    return named.question.problem

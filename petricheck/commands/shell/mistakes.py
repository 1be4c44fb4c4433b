"""Messages for mistakes on the command line: the mistake, and what to write instead."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from petricheck.questions.kind import kind_names, kind_of
from petricheck.support.errors import suggestion
from petricheck.support.plugins import as_option
from petricheck.support.words import printable, quoted

_LOGIC = re.compile(r"[<>!&|]|==|\b(?:and|or|not)\b")
"""Signs and words of formulas that no marking has."""


def with_remedy(error: click.ClickException, words: Sequence[str]) -> click.ClickException:
    """Return the error from reading the words, with what to write instead where that is clear."""
    message = None
    if isinstance(error, click.BadOptionUsage):
        message = _without_text(error.option_name)
    elif isinstance(error, click.NoSuchOption) and error.ctx is not None:
        options = [name for p in error.ctx.command.params for name in p.opts]
        message = _misspelt(error.option_name, words, options)
    elif isinstance(error, click.BadParameter) and getattr(error.param, "name", "") == "invariant":
        message = (
            f"{error.message.rstrip('.')}: --invariant prints the invariants of the answer in "
            "full; whether something always holds is asked as --formula 'not (…)'"
        )
    if message is None or not isinstance(error, click.UsageError):
        return error
    return click.UsageError(message, error.ctx)


def _without_text(option: str) -> str | None:
    """Return the message for the option of a question without its text."""
    for name in kind_names():
        if as_option(name) == option and (example := kind_of(name).example):
            return f"{option} needs a text after it, e.g. {option} {example}"
    return None


def option_as_text(given: Mapping[str, Any], parameters: Iterable[click.Parameter]) -> str | None:
    """Return the message where the text of a question is the next option; None if none is."""
    options = {name for parameter in parameters for name in parameter.opts}
    for kind in kind_names():
        text = given.get(kind)
        if isinstance(text, str) and text.partition("=")[0] in options:
            return _without_text(as_option(kind))
    return None


def _misspelt(option: str, words: Sequence[str], options: Iterable[str]) -> str | None:
    """Return the message for a long option that is written with one dash."""
    if option.startswith("--"):
        return None
    meant = {f"-{word.partition('=')[0]}" for word in words if word.startswith(option)}
    if written := meant.intersection(options):
        long = min(written)
        return f"there is no option {long[1:]}; did you mean {long}?"
    return None


def unexpected_words(
    words: Sequence[str], parameters: Mapping[str, Any], commands: Iterable[str]
) -> str:
    """Return the message for the words, at least one, that follow the net."""
    word, net = words[0], str(parameters["net"])
    return f"unexpected {quoted(word)}; {_remedy(words, net, parameters, commands)}"


def _remedy(
    words: Sequence[str], net: str, parameters: Mapping[str, Any], commands: Iterable[str]
) -> str:
    word, text = words[0], " ".join(words)
    if word in commands:
        return f"a command stands first: petricheck {word} {printable(net)}"
    if os.path.isfile(word):
        return _remedy_for_file(word, net)
    for kind in kind_names():
        option, given = as_option(kind), parameters.get(kind)
        if isinstance(given, str):
            return f"put the text of {option} in quotes: {option} {quoted(f'{given} {text}')}"
        if given:
            return f"{option} takes no text"
    option = as_option(word.lower())
    options = [as_option(kind) for kind in kind_names()]
    if option in options:
        following = f" {quoted(' '.join(words[1:]))}" if words[1:] else ""
        return f"did you mean {option}{following}?"
    similar = [other for other in options if other[:3] == option[:3]]
    return suggestion(option, similar).removeprefix("; ") or _questions(text)


def _remedy_for_file(path: str, net: str) -> str:
    extension = os.path.splitext(path)[1].lower()
    if not os.path.exists(net):
        return f"write the net before the question; {_questions(net)}"
    if extension in (".json", ".smt2"):
        return f"evidence is checked by: petricheck verify {printable(f'{net} {path}')}"
    if extension in (".xml", ".formula"):
        return f"properties of a file are decided with: --properties {printable(path)}"
    return "name one net; 'petricheck batch' decides questions about several"


def _questions(text: str) -> str:
    if _LOGIC.search(text):
        return f"did you mean --formula {quoted(text)}?"
    if "=" in text:
        shown = quoted(text)
        return f"did you mean --target {shown} (exactly) or --cover {shown} (at least)?"
    return "write the question as an option, e.g. --cover 'p1=1' or --deadlock"

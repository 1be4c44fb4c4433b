"""`petricheck convert IN OUT`."""

from __future__ import annotations

import os

import click

from petricheck import plugins
from petricheck.cli.terminal import complain
from petricheck.errors import InputError, QueryError
from petricheck.formats import read_net, write_net


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--net", "net_id", metavar="ID", help="Which net, where the file holds several.")
@click.option("--force", is_flag=True, help="Replace OUT where it exists.")
def command(source: str, target: str, net_id: str | None, force: bool) -> None:
    """Write the net in IN to OUT, whose extension chooses the format."""
    members = [plugins.member("formats", name) for name in plugins.members("formats")]
    known = [extension for member in members for extension in member.extensions]
    if os.path.splitext(target)[1].lower() not in known:
        raise QueryError(f"{target}: nets are written to files that end in {' or '.join(known)}")
    if os.path.exists(target) and not force:
        raise InputError("exists already; --force replaces it", path=target)
    file = read_net(source, net_id)
    for warning in file.warnings:
        complain(f"{file.path}: warning: {warning}")
    write_net(file.net, target)

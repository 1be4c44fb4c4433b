"""The command line: the only place that prints and that sets exit statuses.

`main` is the command. Modules: `program` (which command is meant), `outcomes` (exit statuses and
errors), `terminal` (what is written where), and one module a command: `decide` (without a name,
the question itself; `properties` where there are many), `verify`, `info`, `convert`, `engines`,
`bench`. `prose` and `record` say what `decide` found, to people and to programs. Whatever takes
long to import is imported where it is used.
"""

from petricheck.cli.program import main

__all__ = ["main"]

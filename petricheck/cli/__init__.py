"""The command line: the only place that prints and that sets exit statuses.

`main` is the command of `decide`, the question itself, with all other commands below it: a
`command_group` imports them where they are meant. Each is a module:
`verify`, `info`, `convert`, `mcc`, `batch` and `engines`, or an entry point in the group
`petricheck.commands`; what has the name of a command before its own belongs to that command.
`outcomes` are exit statuses and errors; `terminal` says what is written where, `board` what is
drawn meanwhile, and `limits` what is told where a limit ends a command.
`options`, those of `engines`, `files` and `completion` are shared.

What `decide` is asked is `one_question`, or the questions of a `property_file`. These and
`mcc` have them answered by `answering`, which tells of each a `reports.Report` in one of the
`forms`; `record` is that of JSON. Whatever takes long to import is imported where it is used.
"""

from petricheck.cli.decide import command as main

__all__ = ["main"]

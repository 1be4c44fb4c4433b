"""The command line: the only place that prints and that sets exit statuses.

`main` is the command, of `program`, a `command_group`: its commands are imported where they are
meant. Each is a module: `decide` (without a name: the question itself), `verify`, `info`,
`convert`, `mcc`, `batch`, `bench`, `interpolate` and `engines`; what has the name of a command
before its own belongs to that command. `outcomes` are exit statuses and errors; `terminal` says
what is written where, `board` what is drawn meanwhile, and `limits` what is told where a limit ends
a command. `options`, `engine_options`, `outputs`, `net_files` and `completion` are shared.

What `decide` asks is a `request`: `one_question`, or the questions of a `property_file`, whose ids
are told as `ids` says; `asking`, `answering`, `findings`, `telling` and `record` are what these and
`mcc` share. Whatever takes long to import is imported where it is used.
"""

from petricheck.cli.program import main

__all__ = ["main"]

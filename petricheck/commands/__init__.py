"""The command line: the only package that prints and sets exit statuses.

`main` is the command of `decide`, which decides questions; all other commands are below it, and
`command_group` imports them when they are called. Each is a module (`verify`, `info`, `convert`,
`mcc`, `batch` and `engines`), or an entry point in the group `petricheck.commands`. Modules
whose names begin with that of a command belong to it. `exit_status` defines exit statuses and
errors; `terminal` writes, `live_lines` draws progress, and `limits` prepares the reports for the
case that a limit ends the command. `options`, those of `engines`, `files` and `completion` are
shared.

`request` is the command line as a value. `one_question` decides one question, `property_file` those
of a file. These and `mcc` call `answering`, which prints a `reports.Report` for each question in
one of the `output_forms`; `json_answer` makes JSON. Modules that take long to import are imported
where they are used.
"""

from petricheck.commands.decide import command as main

__all__ = ["main"]

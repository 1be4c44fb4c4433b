"""The command line: the only place that prints and that sets exit statuses.

`main` is the command. Modules: `program` (which command is meant), `outcomes` (exit statuses and
errors), `terminal` (what is written where), `board` (what is drawn on a terminal meanwhile),
`limits` (on time and memory, and what is told where one of them ends the command), and one module a
command: `decide` (without a name, the question
itself: `one_question`, `analysing`, or `file_of_questions`, which `properties` decides; `asking` is
what they share, and `ids` says how properties are named), `mcc` (the same as the contest asks it),
`verify`, `info` (`info_text` are its lines), `convert`, `interpolate`, `engines`, `bench`,
`batch` and below it `batch_export`, `batch_import`, `batch_report` and `batch_tasks` (a
`command_group`; `batching` is what `bench` and `batch` share, `overview` what is seen of both).
`prose` and `record` say what `decide` found, to people and to programs; `reached` where a trace
ends, and `legend` the names that people gave. `net_files` reads the net, `completion` serves
shells. Whatever takes long to import is imported where it is used.
"""

from petricheck.cli.program import main

__all__ = ["main"]

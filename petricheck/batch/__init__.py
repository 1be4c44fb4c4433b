"""Many questions under several configurations, kept and told.

`cells` and `configurations` are the words; `run` plans cells, runs them through one of the
`executors`, and keeps each in the `store`. `questions` are where cells come from, `processes` where
they are decided, `reports` what is told of them. `tasks` and `benchexec` run them under BenchExec.
"""

DATABASE = "batch.sqlite"
"""The file in the folder of a batch that holds all of it."""

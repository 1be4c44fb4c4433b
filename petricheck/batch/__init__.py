"""Many questions under several configurations, kept and reported.

`cells` and `configurations` are the words, `questions` where cells come from; `run` plans cells,
runs them through one of the `executors`, and keeps each in the `store`, which is one file. `solve`
decides a cell, `isolated` in a process with hard limits. `reports` are what is made of the records.
`tasks` and `benchexec` run questions under BenchExec, `imported` reads results from there.
"""

DATABASE = "batch.sqlite"
"""The file in the folder of a batch that holds all of it."""

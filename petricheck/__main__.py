"""`python -m petricheck` is the command `petricheck`."""

from petricheck.cli import main

main(prog_name="petricheck")

"""`python -m petricheck` is the command `petricheck`."""

from petricheck.cli import main

try:
    main(prog_name="petricheck")
finally:
    # Python notes a KeyboardInterrupt that leaves an exec() of a string, as dataclasses use when
    # they are imported, and kills itself with SIGINT at the end even if it was dealt with since.
    # The next exec() clears the note, so that the exit status is the one that was chosen.
    exec("")

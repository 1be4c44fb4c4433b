"""The program `petricheck`, also as `python -m petricheck`: the command, under its supervisor."""

from petricheck.support.processes import supervision


def run() -> None:
    """Run the command with the arguments of the command line; ends the process."""
    supervision.supervise()
    # Only now, so that the supervisor runs already while this is imported.
    from petricheck.commands import main

    status = 1
    try:
        main(prog_name="petricheck")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
        raise
    finally:
        # Python notes a KeyboardInterrupt that leaves an exec() of a string, as dataclasses use
        # when they are imported, and kills itself with SIGINT at its end even if it was dealt with
        # since. The next exec() clears the note, so that the exit status is the one chosen.
        exec("")
        supervision.finish(status)


if __name__ == "__main__":
    run()

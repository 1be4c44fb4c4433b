"""Search among exact markings in Python: exploration, its proofs, and the way to a target."""


def luby(number: int) -> int:
    """Return a number of the sequence 1 1 2 1 1 2 4 …, counted from 1: lengths between restarts.

    Luby, Sinclair, Zuckerman: Optimal speedup of Las Vegas algorithms (1993).
    """
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) // 2

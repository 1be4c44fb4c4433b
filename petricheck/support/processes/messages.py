"""Messages through a pipe: pickled, each after its length.

Whoever reads never waits for the rest of a message, since its sender may be stopped, or may die.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from typing import Any

_LENGTH = 8
"""Bytes that hold the length of a message."""


class Inbox:
    """Messages from a process, put together piece by piece.

    Attributes:
        reader: the descriptor that is read.
    """

    def __init__(self, reader: int) -> None:
        os.set_blocking(reader, False)
        self.reader = reader
        self._bytes = bytearray()

    def messages(self) -> Iterator[tuple[str, Any]]:
        """Yield the messages that are complete after reading what is there, as they were sent.

        Raises:
            EOFError: the sender is gone.
            MemoryError, RecursionError, pickle.UnpicklingError: a message cannot be read.
        """
        try:
            piece = os.read(self.reader, 1 << 20)
        except BlockingIOError:
            return
        if not piece:
            raise EOFError
        self._bytes += piece
        while len(self._bytes) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._bytes[:_LENGTH], "big")
            if len(self._bytes) < end:
                return
            message = pickle.loads(self._bytes[_LENGTH:end])
            del self._bytes[:end]
            yield message

    def close(self) -> None:
        """Read no more."""
        os.close(self.reader)


def send(writer: int, kind: str, content: object) -> None:
    """Write a message of some kind; returns when the pipe has taken all of it."""
    message = pickle.dumps((kind, content), pickle.HIGHEST_PROTOCOL)
    write_all(writer, len(message).to_bytes(_LENGTH, "big") + message)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the data, in as many steps as needed."""
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[os.write(descriptor, remaining) :]

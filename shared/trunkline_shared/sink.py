"""What a body too large to hold flows into."""

from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Sink(Protocol[T_co]):
    """Makes a value out of a body that it sees once, chunk by chunk, in bounded memory.

    A sink serves one attempt: a body that breaks off is read again from its start into a new one.
    """

    def feed(self, chunk: bytes) -> bool:
        """Take the next bytes; false when no more are wanted. May raise a TrunklineError."""

    def result(self) -> T_co:
        """Return what came of a body that arrived whole, or that was not wanted further."""

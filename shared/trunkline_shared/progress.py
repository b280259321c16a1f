"""How far the current call has come, told to its caller when it asked for that."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Tell = Callable[[float, float | None, str | None], Awaitable[None]]

_teller: ContextVar[Tell | None] = ContextVar("trunkline_progress", default=None)


@contextmanager
def told_to(tell: Tell | None) -> Iterator[None]:
    """Hand the progress of the block to `tell`; None is a caller who cannot be told."""
    token = _teller.set(tell)
    try:
        yield
    finally:
        _teller.reset(token)


async def report(progress: float, total: float | None, message: str) -> None:
    """Tell the caller; `progress` must grow with each report of a call (MCP, progress).

    `total` is None where nobody knows it.
    """
    tell = _teller.get()
    if tell is not None:
        await tell(progress, total, message)

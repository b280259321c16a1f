"""A JSON file that somebody else writes in place: read whole, retried when half-written, cached."""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import orjson

from trunkline_shared.clock import Clock
from trunkline_shared.errors import NoTwigState

SIZE_CAP = 8 * 1024 * 1024
RETRIES = 2
RETRY_S = 0.02
SETTLED_S = 0.1
"""A file changed more recently may change again within its own time stamp, so it is not reused."""

T = TypeVar("T")
Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    stamp: Stamp
    modified_at: float
    data: bytes


class JsonFiles(Generic[T]):
    """Reads JSON files into values of `parse`, remembering each by inode, time and size.

    `shown` is how messages call the file.
    """

    def __init__(self, parse: Callable[[object], T], shown: str, clock: Clock) -> None:
        self._parse = parse
        self._shown = shown
        self._clock = clock
        self._known: dict[Path, tuple[Stamp, T]] = {}

    async def read(self, path: Path) -> T | None:
        """Return the file's value, or None when there is no such file.

        Raises NoTwigState with `details.reason`: invalid_json (with line and column), too_large,
        unreadable, not_a_file.
        """
        known = self._known.get(path)
        if known is not None and stamp_of(path) == known[0]:
            return known[1]
        return await self._read(path)

    async def _read(self, path: Path) -> T | None:
        for attempt in range(RETRIES + 1):
            content = _content(path, self._shown)
            if content is None:
                return None
            try:
                value = self._parse(orjson.loads(content.data))
            except orjson.JSONDecodeError as error:
                if attempt == RETRIES:
                    raise _invalid(self._shown, error) from None
                await self._clock.sleep(RETRY_S)
                continue
            self._remember(path, content, value)
            return value
        raise AssertionError("the last attempt returns or raises")

    def _remember(self, path: Path, content: _Content, value: T) -> None:
        self._known.pop(path, None)
        if abs(self._clock.now() - content.modified_at) > SETTLED_S:
            self._known[path] = (content.stamp, value)


def stamp_of(path: Path) -> Stamp | None:
    """Return inode, modification time in ns and size of a file, or None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _content(path: Path, shown: str) -> _Content | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unreadable(shown, "unreadable", f"cannot be read ({error.strerror})") from None
    try:
        return _read_whole(descriptor, shown)
    finally:
        os.close(descriptor)


def _read_whole(descriptor: int, shown: str) -> _Content:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise _unreadable(shown, "not_a_file", "is not a regular file")
    if found.st_size > SIZE_CAP:
        raise _too_large(shown)
    with open(descriptor, "rb", closefd=False) as file:
        data = file.read(SIZE_CAP + 1)
    if len(data) > SIZE_CAP:
        raise _too_large(shown)
    stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
    return _Content(stamp=stamp, modified_at=found.st_mtime, data=data)


def _too_large(shown: str) -> NoTwigState:
    return _unreadable(shown, "too_large", f"is larger than {SIZE_CAP} bytes")


def _unreadable(shown: str, reason: str, problem: str) -> NoTwigState:
    return NoTwigState(
        f"{shown} {problem}",
        hint="Make it a readable file that twig wrote, or remove it.",
        details={"reason": reason},
    )


def _invalid(shown: str, error: orjson.JSONDecodeError) -> NoTwigState:
    return NoTwigState(
        f"{shown} is not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}",
        hint="Mend the file there, or let twig write it anew; it may also be in the middle of a "
        "write: try again.",
        details={
            "reason": "invalid_json",
            "line": error.lineno,
            "column": error.colno,
            "position": error.pos,
        },
    )


def wrong_shape(shown: str, where: str, expected: str) -> NoTwigState:
    """Return the error for valid JSON that is not what twig writes."""
    return NoTwigState(
        f"{shown}: {where} must be {expected}",
        hint="Mend the file there, or let twig write it anew.",
        details={"reason": "wrong_shape", "where": where},
    )

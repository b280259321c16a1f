"""The folder in which workers tell each other what they know."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from trunkline_shared.settings import ConfigurationError


@contextmanager
def meeting_place() -> Iterator[Path]:
    """Make a folder that nobody else may enter, for the length of the block.

    Raises ConfigurationError where none can be made, or none in which a socket may be.
    """
    with _folder() as name:
        folder = Path(name)
        _must_take_sockets(folder)
        yield folder


def _folder() -> "TemporaryDirectory[str]":
    try:
        return TemporaryDirectory(prefix="trunkline-", ignore_cleanup_errors=True)
    except OSError as error:
        raise ConfigurationError(
            f"TRUNKLINE_WORKERS: workers meet in a temporary folder, which cannot be made "
            f"({error.strerror}). Set TMPDIR to one that the router may write to."
        ) from None


def _must_take_sockets(folder: Path) -> None:
    """Try the longest name: a socket's path has 107 bytes. Linux, unix(7)."""
    longest = folder / "63.sock"
    try:
        with socket.socket(socket.AF_UNIX) as tried:
            tried.bind(str(longest))
        longest.unlink()
    except OSError as error:
        raise ConfigurationError(
            f"TRUNKLINE_WORKERS: workers meet at sockets in {folder}, where none can be "
            f"({error.strerror or error}). Set TMPDIR to a short path on a disk of this machine."
        ) from None

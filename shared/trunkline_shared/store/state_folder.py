"""The directory in which a mesh without Redis keeps its records."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

_OWNER_ONLY = 0o700
_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class StateFolder:
    """A directory that is made when it is first needed; `~` is the user's home.

    Everything here blocks, and raises OSError, or RuntimeError for a user without a home.
    """

    path: Path

    def file(self, name: str) -> Path:
        """Return the path of a file in the part that is this version's, which only we can read."""
        top = self.path.expanduser()
        top.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        records = top / "records-1"
        records.mkdir(mode=_OWNER_ONLY, exist_ok=True)
        if records.stat().st_mode & _OTHERS:
            records.chmod(_OWNER_ONLY)
        return records / name


def content(path: Path) -> bytes | None:
    """Return what a file holds, or None when there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def replace_content(path: Path, value: bytes) -> None:
    """Replace a file as a whole: after a power cut it holds the old bytes or the new ones."""
    descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(value)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(path)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise
    _make_lasting(path.parent)


def _make_lasting(folder: Path) -> None:
    """Let the new name of a file survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

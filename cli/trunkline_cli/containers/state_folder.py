"""The folder of a mesh in containers on disk: secrets, configuration, the owner's key.

Secrets are files that any user may read, in a folder that only its owner may enter: containers see
single files of it and run as a user of their own. A file is written where it is and never replaced,
since a container sees the file that it was started with.
"""

import fcntl
import os
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trunkline_cli.failure import CommandFailed

_OWNERS_FOLDER, _OPEN_FOLDER = 0o700, 0o755
OWNERS_FILE, _OPEN_FILE, _SECRET_FILE = 0o600, 0o644, 0o444


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFolder:
    """Where everything is; to be used while it is held."""

    path: Path

    @property
    def api_key(self) -> Path:
        return self.path / "api-key"

    @property
    def configuration(self) -> Path:
        return self.path / "configuration" / "trunkline.yaml"

    @property
    def settings(self) -> Path:
        return self.path / "settings.json"

    @property
    def bounds(self) -> Path:
        return self.path / "bounds.json"

    def secret_file(self, name: str) -> Path:
        """Return where a secret is kept."""
        return self.path / "secrets" / name

    def secret(self, name: str) -> str:
        """Return a secret; empty when there is none."""
        return text_of(self.secret_file(name)).strip()

    def keep_secret(self, name: str, value: str) -> bool:
        """Write a secret, or an empty file; returns whether it is another one than before."""
        return written(self.secret_file(name), value, _SECRET_FILE)

    def keep_key(self, key: str) -> None:
        """Write the owner's key, which nobody else may read."""
        written(self.api_key, key + "\n", OWNERS_FILE)

    @property
    def unapplied(self) -> frozenset[str]:
        """The secrets that changed, and that containers may not have read since."""
        return frozenset(text_of(self._unapplied).split())

    def keep_unapplied(self, names: Collection[str]) -> None:
        """Write which secrets containers have yet to read: a start that fails leaves that."""
        written(self._unapplied, "".join(f"{name}\n" for name in sorted(names)), OWNERS_FILE)

    @property
    def _unapplied(self) -> Path:
        return self.path / "unapplied"

    def keep_settings(self, text: str) -> None:
        """Write what is remembered of the settings."""
        written(self.settings, text, OWNERS_FILE)

    def begin_configuration(self) -> None:
        """Have a configuration that the router's container may read; an empty one at first."""
        if not self.configuration.exists():
            written(self.configuration, "", _OPEN_FILE)


@contextmanager
def held(path: Path, waiting: Callable[[], None]) -> Iterator[StateFolder]:
    """Hold the folder for a block, so that of two commands one waits for the other; makes it.

    `waiting` is told before that takes time. Raises CommandFailed.
    """
    try:
        for folder, mode in (
            (path, _OWNERS_FOLDER),
            (path / "secrets", _OWNERS_FOLDER),
            (path / "configuration", _OPEN_FOLDER),
        ):
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(mode)
        descriptor = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise _unusable(path, error) from None
    try:
        _lock(descriptor, waiting)
        yield StateFolder(path=path)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, waiting: Callable[[], None]) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def text_of(file: Path) -> str:
    """Return what a file holds; nothing when it is not there. Raises CommandFailed."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CommandFailed(
            f"{file} cannot be read ({reason}). Mend it, or delete it to have it made anew."
        ) from None


def written(file: Path, text: str, mode: int) -> bool:
    """Have the file hold the text; returns whether it did not before. Raises CommandFailed."""
    content = text.encode()
    try:
        changed = not file.exists() or file.read_bytes() != content
        if changed:
            _write(file, content, mode)
        file.chmod(mode)
    except OSError as error:
        raise _unusable(file, error) from None
    return changed


def _write(file: Path, content: bytes, mode: int) -> None:
    """Write over what is there: whoever reads meanwhile never finds it empty, or closed."""
    if file.exists():
        file.chmod(mode | stat.S_IWUSR)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, OWNERS_FILE)
    with os.fdopen(descriptor, "wb") as to:
        to.write(content)
        to.truncate()
        to.flush()
        os.fsync(to.fileno())


def _unusable(path: Path, error: OSError) -> CommandFailed:
    return CommandFailed(
        f"{path} cannot be written ({error.strerror}). It holds the mesh's secrets and belongs to "
        "whoever starts the mesh: run this as its owner, or name another folder with "
        "TRUNKLINE_STATE."
    )

"""`trunkline.yaml` on disk, as `trunkline key` changes it: one at a time, and as a whole."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trunkline_cli.environment import variable
from trunkline_cli.failure import USAGE, CommandFailed
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.file import DEFAULT_NAME, read_configuration
from trunkline_shared.settings import ConfigurationError

_PRIVATE = 0o600


def path_of(named: str | None) -> Path:
    """Return the file to change: the one that is named, TRUNKLINE_CONFIG, or the one here."""
    return Path(named or variable("TRUNKLINE_CONFIG", DEFAULT_NAME)).expanduser()


def configuration_of(path: Path) -> Configuration:
    """Return what the file says; a file that is not there says nothing. Raises CommandFailed."""
    try:
        return read_configuration(path if path.exists() else None)
    except ConfigurationError as error:
        raise CommandFailed(str(error), USAGE) from None


@contextmanager
def changing(path: Path) -> Iterator[str]:
    """Hold the file for a block, so that of two changes at once none is lost; yields its text."""
    try:
        # The folder is locked, not the file: that is replaced, and a lock file would stay behind.
        folder = os.open(path.resolve().parent, os.O_RDONLY)
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield _text_of(path)
    finally:
        os.close(folder)


def replace(path: Path, text: str) -> None:
    """Put the text in the file's place at once; a new file is its owner's alone.

    A symbolic link stays one: its target is what is replaced. Raises CommandFailed.
    """
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied")
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "wb") as to:
            to.write(text.encode())
            to.flush()
            os.fsync(to.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise _unwritable(path, error) from None


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode() if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{path}: the file cannot be read ({error})", USAGE) from None


def _unwritable(path: Path, error: OSError) -> CommandFailed:
    return CommandFailed(
        f"{path} cannot be written ({error.strerror}); nothing has changed. Name another file with "
        "--config or TRUNKLINE_CONFIG, or run this where it may be written."
    )

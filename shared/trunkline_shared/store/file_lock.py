"""A lock over processes that the kernel takes from a holder who dies: flock(2) on a file."""

import fcntl
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_NOBODY = -1


@dataclass(slots=True)
class FileLock:
    """One taking of a lock; whoever opens the file again competes with it, in any process.

    The file is never removed. Should somebody else remove it, the lock is lost. Everything here
    blocks for as long as the disk does.
    """

    path: Path
    descriptor: int = _NOBODY

    def take(self) -> bool:
        """Take the lock if it is free. Raises OSError."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self.descriptor = os.open(self.path, flags, 0o600)
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
        except OSError:
            self.release()
            raise
        else:
            if not self.is_held():
                self.release()
        return self.descriptor != _NOBODY

    def is_held(self) -> bool:
        """Whether the file that is locked is still the one of this name."""
        if self.descriptor == _NOBODY:
            return False
        with suppress(FileNotFoundError):
            mine, named = os.fstat(self.descriptor), self.path.stat()
            return (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino)
        return False

    def release(self) -> None:
        """Let go; the kernel does the same at the end of the process."""
        if self.descriptor != _NOBODY:
            descriptor, self.descriptor = self.descriptor, _NOBODY
            os.close(descriptor)

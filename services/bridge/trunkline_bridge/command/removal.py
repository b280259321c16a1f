"""Removing a folder with whatever a program has left in it; the standard library suffices."""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a folder; what is read-only is made ours first, and what is gone is well."""
    shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        return
    for place, _, _ in os.walk(folder):
        # Top-down: a folder is opened before it is looked into. Links are not followed.
        with suppress(OSError):
            Path(place).chmod(stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)

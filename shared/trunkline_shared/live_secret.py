"""A secret as it is now: from a variable, or from the file that `NAME_FILE` names.

Docker and Kubernetes replace secret files while a process runs, so a file is read again
whenever its stamp has changed. Nothing here keeps a secret longer than its file does.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from trunkline_shared.settings import FILE_SUFFIX


class LiveSecret:
    """The first of several variables that has a value, each also as `NAME_FILE`."""

    def __init__(self, *variables: str, env: Mapping[str, str] | None = None) -> None:
        self.variables = variables
        self._env = os.environ if env is None else env  # noqa: TID251 - the door for secrets
        self._read: dict[str, tuple[tuple[int, int, int], str]] = {}

    def get(self) -> str | None:
        """Return the secret without surrounding blanks, or None when nothing is configured."""
        for variable in self.variables:
            value = self._env.get(variable) or self._from_file(variable + FILE_SUFFIX)
            if value and value.strip():
                return value.strip()
        return None

    def _from_file(self, variable: str) -> str | None:
        path = self._env.get(variable)
        if not path:
            return None
        try:
            stat = Path(path).stat()
            stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            known = self._read.get(path)
            if known is None or known[0] != stamp:
                known = (stamp, Path(path).read_text(encoding="utf-8"))
                self._read[path] = known
        except OSError:
            return None
        return known[1]

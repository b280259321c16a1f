"""The files that the configuration is read from, watched for what somebody else does to them."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

Stamp = tuple[int, int, int, int]


class Watch:
    """Says when files have changed, and have stood still since: a file half written is not read.

    A stamp follows links, so that a ConfigMap's swap and an editor's rename are changes as well.
    """

    def __init__(self, paths: Callable[[], Iterable[Path]]) -> None:
        self._paths = paths
        self._seen: Mapping[Path, Stamp | None] | None = None
        self._taken: Mapping[Path, Stamp | None] | None = None

    def look(self) -> bool:
        """Say whether the files are to be read: once for each change, the first time as well."""
        now = {path: _stamp(path) for path in self._paths()}
        still, self._seen = now == self._seen, now
        if not still or now == self._taken:
            return False
        self._taken = now
        return True


def _stamp(path: Path) -> Stamp | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size)

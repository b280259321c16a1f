"""The files of the dashboard, read once out of the installed package."""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".woff2": "font/woff2",
}
_DENSE = frozenset({".png", ".woff2"})
_WORTH_BYTES = 1024
_FOLDER = "static"
_TAG_LENGTH = 16
_LEVEL = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file; `tag` changes with the content."""

    content: bytes = field(repr=False)
    content_type: str
    tag: str
    dense: bool

    @property
    def gzipped(self) -> bytes:
        """The content for who unpacks it; empty where packing saves nothing."""
        return b"" if self.dense else _gzipped(self.content)


@cache
def assets() -> Mapping[str, Asset]:
    """Return every file that may be asked for, by its path below the folder; no other is served."""
    root = files(__package__) / _FOLDER
    return dict(_below(root, PurePosixPath())) if root.is_dir() else {}


def _below(folder: Traversable, at: PurePosixPath) -> Iterator[tuple[str, Asset]]:
    for each in folder.iterdir():
        path = at / each.name
        if each.is_dir():
            yield from _below(each, path)
        elif path.suffix in _TYPES:
            yield str(path), _asset(each.read_bytes(), path.suffix)


def _asset(content: bytes, suffix: str) -> Asset:
    return Asset(
        content=content,
        content_type=_TYPES[suffix],
        tag=sha256(content).hexdigest()[:_TAG_LENGTH],
        dense=suffix in _DENSE or len(content) < _WORTH_BYTES,
    )


@cache
def _gzipped(content: bytes) -> bytes:
    # When the first browser asks: a start of the router need not wait for it.
    return gzip.compress(content, _LEVEL, mtime=0)

r"""The names in a diff's headers: quoted as git quotes them, and read back.

git writes a name that holds `"`, `\`, control characters or bytes beyond ASCII in double quotes
with C escapes (core.quotePath), and puts a tab after a bare name with a space in `---` and `+++`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_LETTERS = {
    ord("\a"): "a",
    ord("\b"): "b",
    ord("\t"): "t",
    ord("\n"): "n",
    ord("\v"): "v",
    ord("\f"): "f",
    ord("\r"): "r",
    ord('"'): '"',
    ord("\\"): "\\",
}
_BYTES = {letter.encode(): bytes([byte]) for byte, letter in _LETTERS.items()}
_PLAIN = range(0x20, 0x7F)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_GIT = b"diff --git "
_NOWHERE = b"/dev/null"
_BETWEEN = len("a/ b/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a file's header says: its path, the one before a rename, and what happened to it."""

    path: str
    previous: str | None
    status: str


def quoted(name: str) -> str:
    """Return a name as git writes it in a header, prefix included."""
    raw = name.encode(errors="replace")
    if all(byte in _PLAIN and byte not in _LETTERS for byte in raw):
        return name
    return '"' + "".join(_escaped(byte) for byte in raw) + '"'


def _escaped(byte: int) -> str:
    if byte in _LETTERS:
        return f"\\{_LETTERS[byte]}"
    return chr(byte) if byte in _PLAIN else f"\\{byte:03o}"


def named(header: Sequence[bytes]) -> Named:
    """Read the header of one file, from `diff --git` to before its first hunk."""
    found: dict[bytes, bytes] = {}
    for line in header[1:]:
        for key in _KEYS:
            if line.startswith(key):
                found[key] = line[len(key) :].rstrip(b"\r\n")
    previous = found.get(b"rename from ") or found.get(b"copy from ")
    return Named(
        path=_shown(_path(found) or _both(header[0])),
        previous=None if previous is None else _shown(_bare(previous)),
        status=next((status for key, status in _STATUS.items() if key in found), "modified"),
    )


_STATUS = {
    b"new file mode ": "added",
    b"deleted file mode ": "removed",
    b"rename to ": "renamed",
    b"copy to ": "copied",
}
_KEYS = (*_STATUS, b"rename from ", b"copy from ", b"--- ", b"+++ ")


def _path(found: dict[bytes, bytes]) -> bytes:
    for key in (b"rename to ", b"copy to "):
        if key in found:
            return _bare(found[key])
    for key in (b"+++ ", b"--- "):
        side = _bare(found.get(key, b"").removesuffix(b"\t"))
        if side and side != _NOWHERE:
            return side[2:]
    return b""


def _both(first: bytes) -> bytes:
    """Return the path of a header that has no other line with it: both sides are the same."""
    names = first.removeprefix(_GIT).rstrip(b"\r\n")
    if names.startswith(b'"'):
        return _bare(names)[2:]
    length = (len(names) - _BETWEEN) // 2
    return names[2 : 2 + length]


def _bare(name: bytes) -> bytes:
    inside = _QUOTED.match(name)
    return name if inside is None else _ESCAPE.sub(_unescaped, inside[1])


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if len(code) == 1:
        return _BYTES.get(code, code)
    return bytes([int(code, 8) & 0xFF])


def _shown(name: bytes) -> str:
    return name.decode(errors="replace")

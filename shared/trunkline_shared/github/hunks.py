"""The hunks of a unified diff: which lines of the old and of the new file each shows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """A run of shown lines: in each file from its start on, as many as its count.

    The counts are those of the lines that are there: a patch may be cut off, and its header
    speaks of more then. `lines` are without the header and without line ends.
    """

    header: str
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[str, ...]


def parsed(patch: str) -> Iterator[Hunk]:
    """Yield the hunks of one file's patch; what stands before the first header is left out.

    Only a line feed ends a line: other separators may stand inside one.
    """
    header, body = "", list[str]()
    for line in patch.split("\n"):
        if HEADER.match(line):
            if header:
                yield _hunk(header, body)
            header, body = line, []
        elif header:
            body.append(line)
    if header:
        yield _hunk(header, body)


def _hunk(header: str, body: list[str]) -> Hunk:
    if body and not body[-1]:
        body.pop()
    found = HEADER.match(header)
    assert found is not None
    old_start, _, new_start, _ = found.groups()
    signs = [line[:1] for line in body]
    added, removed, notes = signs.count("+"), signs.count("-"), signs.count("\\")
    return Hunk(
        header=header,
        old_start=int(old_start),
        old_count=len(body) - added - notes,
        new_start=int(new_start),
        new_count=len(body) - removed - notes,
        lines=tuple(body),
    )

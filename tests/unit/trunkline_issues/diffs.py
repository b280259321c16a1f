"""Diffs to read, and a reader of them that shares nothing with ours."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from trunkline_issues.diff_files import DiffFiles, Wanted
from trunkline_issues.diff_sink import DiffSink
from trunkline_shared.testing.github.changes import ChangedFile

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a diff with its place in the old and in the new file."""

    file: str
    old: int
    new: int
    text: str


def rows(diff: str) -> list[Row]:
    """Return the lines of all hunks. Fails for a header that does not count what follows."""
    found: list[Row] = []
    file, lines = "", iter(diff.split("\n")[:-1])
    for line in lines:
        if line.startswith("diff --git "):
            file = line
        elif match := _HUNK.match(line):
            old, olds, new, news = (1 if part is None else int(part) for part in match.groups())
            assert olds or news
            found += _hunk(lines, file, (old + (not olds), olds), (new + (not news), news))
        elif line.startswith("\\"):
            found.append(Row(file, 0, 0, line))
        else:
            assert not line.startswith(("+", "-", " ")) or line.startswith(("+++ ", "--- "))
    return found


def _hunk(
    lines: Iterator[str], file: str, old: tuple[int, int], new: tuple[int, int]
) -> Iterator[Row]:
    (at_old, olds), (at_new, news) = old, new
    while olds or news:
        line = next(lines)
        note = line.startswith("\\")
        yield Row(file, 0 if note else at_old, 0 if note else at_new, line)
        if line[:1] in {" ", "-"}:
            at_old, olds = at_old + 1, olds - 1
        if line[:1] in {" ", "+"}:
            at_new, news = at_new + 1, news - 1
        assert olds >= 0
        assert news >= 0


def read(diff: bytes, wanted: Wanted, chunk: int = 4_096) -> DiffFiles:
    """Let a diff flow in chunks into a sink."""
    sink = DiffSink(wanted)
    for begin in range(0, len(diff), chunk):
        assert sink.feed(diff[begin : begin + chunk])
    return sink.result()


def pages(diff: bytes, max_size: int, *paths: str) -> list[DiffFiles]:
    """Read a diff page by page."""
    found: list[DiffFiles] = []
    offset: int | None = 0
    while offset is not None:
        found.append(read(diff, Wanted(paths=paths, offset=offset, max_size=max_size)))
        assert found[-1].page.found or not diff
        assert found[-1].page.end != offset
        offset = found[-1].page.end
    return found


def large(files: int, lines: int, *, wide: int = 0) -> Iterator[bytes]:
    """Yield the diff of so many files with so many changed lines each, `wide` characters wider."""
    padding = "x" * wide
    for number in range(files):
        path = f"src/some/package/module_{number}.py"
        yield f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n".encode()
        yield f"@@ -1,{lines // 2} +1,{lines // 2} @@\n".encode()
        for sign in "-+":
            yield "".join(
                f"{sign}    value_{n} = compute(number={n}, of={number}){padding}\n"
                for n in range(lines // 2)
            ).encode()


_LINES = st.lists(
    st.sampled_from([
        "",
        "a",
        "b = 1",
        "-- old",
        "++ new",
        "@@ -1 +1 @@",
        "diff --git a/x b/x",
        "é",
    ])
    | st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=60),
    max_size=40,
)


@st.composite
def _contents(draw: st.DrawFn) -> str:
    text = "\n".join(draw(_LINES))
    return text + draw(st.sampled_from(["", "\n"])) if text else text


@st.composite
def changed_files(draw: st.DrawFn) -> list[ChangedFile]:
    """Return some files with changes of every kind."""
    found: list[ChangedFile] = []
    for number in range(draw(st.integers(1, 6))):
        before, after = draw(_contents()), draw(_contents())
        kind = draw(st.sampled_from(["edit", "edit", "add", "remove", "rename", "binary"]))
        found.append(
            ChangedFile(
                path=f"dir/file {number}.txt",
                before=None if kind == "add" else before,
                after=None if kind == "remove" else after,
                previous_path=f"old {number}.txt" if kind == "rename" else None,
                binary=kind == "binary",
            )
        )
    return found

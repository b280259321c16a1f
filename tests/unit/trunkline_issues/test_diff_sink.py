"""Reading a diff once, in chunks and in bounded memory, and cutting a page out of it."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interaction.pull_reading import edited, numstat, text
from tests.unit.trunkline_issues.diffs import changed_files, large, pages, read, rows
from trunkline_issues.diff_files import Wanted
from trunkline_issues.diff_sink import DiffSink
from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.untrusted import visible_escapes

MAX_SIZE = 102_400


def whole_of(files: list[ChangedFile]) -> str:
    return "".join(one.diff() for one in files)


@pytest.mark.requirement("pull.diff-cut")
@given(changed_files(), st.integers(200, 3_000), st.integers(1, 999))
def test_the_pages_hold_each_line_once_under_true_headers(
    files: list[ChangedFile], max_size: int, chunk: int
) -> None:
    """Whatever the size of pages and chunks; each header counts the lines that follow."""
    diff = whole_of(files)
    found = pages(diff.encode(), max_size)
    shown = [row for page in found for row in rows(page.page.text())]
    if not any(page.page.shortened for page in found):
        assert shown == rows(visible_escapes(diff)[0])
    assert [(f.path, f.additions, f.deletions) for f in found[0].entries] == [
        (f.path, 0 if f.binary else f.additions, 0 if f.binary else f.deletions) for f in files
    ]
    assert {one.size for one in found} == {len(diff.encode())}
    chunked = read(diff.encode(), Wanted(max_size=max_size), chunk)
    assert (chunked.page.text(), chunked.page.end) == (found[0].page.text(), found[0].page.end)


@pytest.mark.requirement("pull.diff-cut")
@given(changed_files(), st.integers(1_024, 4_000))
def test_a_page_is_never_larger_than_asked_for(files: list[ChangedFile], max_size: int) -> None:
    """In bytes of UTF-8, escapes of what cannot be seen included."""
    for page in pages(whole_of(files).encode(), max_size):
        assert len(page.page.text().encode()) <= max_size


@pytest.mark.requirement("pull.diff-cut")
@pytest.mark.parametrize("max_size", [1_024, 1_500, 2_222, 5_000])
def test_git_reads_each_page_and_counts_what_the_files_have(max_size: int) -> None:
    """Also the parts of a hunk: each begins and ends where both sides hold a change."""
    files = [
        edited("a.py", 300, 7),
        ChangedFile(path="new.py", after=text(200)),
        ChangedFile(path="gone.py", before=text(200)),
        ChangedFile(path="end.py", before=text(90, range(90)), after=text(90).rstrip("\n")),
    ]
    total: dict[str, tuple[int, int]] = {}
    for page in pages(whole_of(files).encode(), max_size):
        for path, (added, removed) in numstat(page.page.text()).items():
            so_far = total.get(path, (0, 0))
            total[path] = (so_far[0] + added, so_far[1] + removed)
    assert total == {one.path: (one.additions, one.deletions) for one in files}


def test_a_page_ends_between_files_if_that_leaves_it_half_full() -> None:
    """A reader prefers whole files."""
    files = [edited("a.py", 60), edited("b.py", 60), edited("c.py", 60)]
    first, second = files[0].diff(), files[1].diff()
    found = pages(whole_of(files).encode(), len(first) + len(second) + 100)
    assert [page.page.text() for page in found] == [first + second, files[2].diff()]


def test_a_page_ends_between_hunks_if_no_file_ends_in_its_second_half() -> None:
    """Then the hunks are whole, under the file's header again."""
    file = edited("a.py", 200, 20)
    found = pages(file.diff().encode(), 500)
    assert len(found) > 1
    for page in found:
        shown = page.page.text()
        assert shown.startswith("diff --git a/a.py b/a.py\n")
        hunks = {line for line in shown.split("\n") if line.startswith("@@")}
        assert hunks <= set(file.diff().split("\n"))


def test_a_diff_of_exactly_the_size_is_not_truncated() -> None:
    """The limit is what fits, not what is less."""
    diff = edited("a.py").diff().encode()
    assert read(diff, Wanted(max_size=len(diff))).page.end is None
    assert read(diff, Wanted(max_size=len(diff) - 1)).page.end is not None


def test_bytes_that_are_no_utf_8_are_shown_as_such() -> None:
    """Offsets go on counting what came."""
    diff = ChangedFile(path="a.txt", after="\u00e9t\u00e9\n" * 300).diff().encode("latin-1")
    found = pages(diff, 1_024)
    assert sum(page.page.text().count("\ufffdt\ufffd") for page in found) == 300
    assert found[0].size == len(diff)


def test_lines_that_look_like_headers_are_lines() -> None:
    """A removed `-- x` is written `--- x`, and counts decide."""
    file = ChangedFile(path="a.sql", before="-- old\n++ x\nkeep\n", after="keep\n")
    found = read(file.diff().encode(), Wanted(max_size=MAX_SIZE))
    (entry,) = found.entries
    assert (entry.path, entry.deletions, entry.additions) == ("a.sql", 2, 0)
    assert found.page.text() == file.diff()


@pytest.mark.requirement("pull.diff-memory")
@pytest.mark.parametrize("files_before", [0, 200])
def test_a_diff_of_300_files_and_20000_lines_takes_three_pages_of_memory_at_most(
    files_before: int,
) -> None:
    """A megabyte flows by; a page, the files' names and one line are held."""
    offset = sum(len(chunk) for chunk in large(files_before, 66))
    tracemalloc.start()
    try:
        sink = DiffSink(Wanted(offset=offset, max_size=MAX_SIZE))
        for chunk in large(300, 66):
            sink.feed(chunk)
        found = sink.result()
        shown = found.page.text()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.entries) == 300
    assert sum(one.additions + one.deletions for one in found.entries) == 300 * 66
    assert found.size > 850_000
    assert len(shown) > MAX_SIZE * 0.9
    assert most <= 3 * MAX_SIZE


@pytest.mark.requirement("pull.diff-memory")
def test_a_line_of_eight_megabytes_is_not_held() -> None:
    """A minified file in one line."""
    tracemalloc.start()
    try:
        sink = DiffSink(Wanted(max_size=MAX_SIZE))
        sink.feed(b"diff --git a/m.js b/m.js\n--- a/m.js\n+++ b/m.js\n@@ -0,0 +1 @@\n+")
        for _ in range(2_000):
            sink.feed(b"x" * 4_096)
        found = sink.result()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.size > 8_000_000
    assert found.page.shortened == 1
    assert most <= 4 * MAX_SIZE

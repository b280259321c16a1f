"""Lines are the same however their bytes come, and none of them can grow without bounds."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_ci_status.log_lines import LINE_CAP, CutLine, LineSplitter
from trunkline_ci_status.log_text import clean

PIECES = st.sampled_from([
    b"\n",
    b"\r",
    b"\r\n",
    b"\x1b[31m",
    b"\xef\xbb\xbf",
    b"2026-01-02T03:04:05.1234567Z ",
    "größer 😀".encode(),
    b"\xff\xfe",
    b"x" * 100,
    b"y" * (LINE_CAP // 2 + 7),
    b"z" * (2 * LINE_CAP + 1),
    b"plain text",
])
NO_RETURN = st.characters(exclude_characters="\r", codec="utf-8")


def chunked(log: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({cut % (len(log) + 1) for cut in cuts} | {0, len(log)})
    return [log[a:b] for a, b in pairwise(places)]


def split(chunks: list[bytes]) -> list[bytes]:
    splitter = LineSplitter()
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return [*lines, *splitter.rest()]


def shown(lines: list[bytes]) -> list[str]:
    return clean(lines).split("\n") if lines else []


@pytest.mark.requirement("ci.log.chunks")
@given(log=st.lists(PIECES, max_size=30).map(b"".join), cuts=st.lists(st.integers(0), max_size=12))
def test_any_chunking_gives_the_same_lines(log: bytes, cuts: list[int]) -> None:
    """One chunk, many, or one per cut: what is shown does not depend on it."""
    assert shown(split(chunked(log, cuts))) == shown(split([log]))


@pytest.mark.requirement("ci.log.chunks")
@given(text=st.text(NO_RETURN, max_size=400), cuts=st.lists(st.integers(0), max_size=12))
def test_lines_are_those_that_str_finds(text: str, cuts: list[int]) -> None:
    """Any text, cut anywhere, also inside characters: the lines between its line feeds."""
    expected = text.removeprefix("\ufeff").split("\n")
    if not expected[-1]:
        expected.pop()
    lines = split(chunked(text.encode(), cuts))
    assert [line.decode() for line in lines] == expected


@given(log=st.lists(PIECES, max_size=30).map(b"".join), cuts=st.lists(st.integers(0), max_size=12))
def test_no_line_is_longer_than_its_cap(log: bytes, cuts: list[int]) -> None:
    """Nor does the splitter hold more of an open one than twice that."""
    splitter = LineSplitter()
    for chunk in chunked(log, cuts):
        for line in splitter.feed(chunk):
            assert len(line) <= LINE_CAP + 40
        assert len(splitter._open) <= 2 * LINE_CAP  # noqa: SLF001 - what it holds is the point


def test_a_long_line_says_how_much_is_missing() -> None:
    """In bytes, after its last whole character and escape sequence."""
    for end, whole in ((b"x", LINE_CAP), ("ü".encode(), LINE_CAP - 1), (b"\x1b[31m", LINE_CAP - 4)):
        start = b"a" * (whole if end != b"x" else LINE_CAP - 1)
        log = start + end + b"b" * 1_000_000
        (line,) = split([log[k : k + 777] for k in range(0, len(log), 777)])
        assert isinstance(line, CutLine)
        kept, _, missing = line.partition(b" [... ")
        assert kept == log[: len(kept)]
        assert LINE_CAP - 4 <= len(kept) <= LINE_CAP
        assert missing == b"%d bytes cut]" % (len(log) - len(kept))


def test_a_progress_bar_of_megabytes_keeps_its_last_state() -> None:
    """With the timestamp of its line, by which its step is known."""
    stamp = b"2026-01-02T03:04:05.1234567Z "
    log = stamp + b"".join(b"%d%%\r" % (k % 100) for k in range(1_000_000)) + b"done\r\n"
    (line,) = split([log[k : k + 65_536] for k in range(0, len(log), 65_536)])
    assert line.rstrip(b"\r") == stamp + b"done"
    assert clean([line]) == "done"


def test_a_byte_order_mark_may_come_in_pieces() -> None:
    """It is dropped at the beginning, and nowhere else."""
    assert split([b"\xef", b"\xbb", b"\xbfa\n", b"\xef\xbb\xbfb\n"]) == [b"a", b"\xef\xbb\xbfb"]
    assert split([b"\xef"]) == [b"\xef"]
    assert split([b"a"]) == [b"a"]
    assert split([]) == []

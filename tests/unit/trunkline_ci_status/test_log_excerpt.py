"""An excerpt of a log is what head, tail and grep would give of the whole of it."""

import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_ci_status.log_excerpt import Excerpt, LogReader, Wanted
from trunkline_ci_status.log_pattern import parse_pattern
from trunkline_ci_status.log_window import Window
from trunkline_shared.errors import InvalidInput

MIB = 1024 * 1024
WORDS = st.lists(st.sampled_from(["ok", "bad", "worse", "##[error]x", "", "ü😀"]), max_size=60)


def read(log: bytes, wanted: Wanted, size: int = 97) -> Excerpt:
    reader = LogReader(wanted)
    for start in range(0, len(log), size):
        assert reader.feed(log[start : start + size])
    return reader.result()


def joined(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


@given(lines=WORDS, tail=st.integers(1, 70), size=st.integers(1, 40))
def test_the_tail_is_that_of_the_lines(lines: list[str], tail: int, size: int) -> None:
    """With the number of its first line, and that of the first error of all."""
    found = read(joined(lines), Wanted(lines=tail, max_bytes=65_536), size)
    last = lines[-tail:]
    assert found.text == "\n".join(last)
    assert (found.total_lines, found.returned_lines) == (len(lines), len(last))
    assert found.truncated == (len(last) < len(lines))
    assert found.first_line == (len(lines) - len(last) + 1 if lines else None)
    errors = [number for number, line in enumerate(lines, 1) if "##[error]" in line]
    assert found.first_error_line == (errors[0] if errors else None)


@given(lines=WORDS, most=st.integers(20, 200))
def test_the_bytes_that_fit_are_the_last_lines(lines: list[str], most: int) -> None:
    """As many whole lines as fit, and not one fewer."""
    found = read(joined(lines), Wanted(lines=5000, max_bytes=most))
    assert len(found.text.encode()) <= most
    returned = found.returned_lines
    assert found.text == "\n".join(lines[len(lines) - returned :])
    if returned < len(lines):
        assert len("\n".join(lines[len(lines) - returned - 1 :]).encode()) > most


def grep(lines: list[str], word: str, context: int) -> list[str]:
    """Return what grep -n -C prints."""
    hits = {at for at, line in enumerate(lines) if word in line}
    near = [at for at in range(len(lines)) if any(abs(at - hit) <= context for hit in hits)]
    shown = []
    for place, at in enumerate(near):
        if place and near[place - 1] != at - 1:
            shown.append("--")
        shown.append(f"{at + 1}{':' if at in hits else '-'}{lines[at]}")
    return shown


@given(lines=WORDS, context=st.integers(0, 4), size=st.integers(1, 60))
def test_matches_are_those_of_grep(lines: list[str], context: int, size: int) -> None:
    """Numbers, context on both sides, groups that touch are one."""
    wanted = Wanted(lines=5000, max_bytes=65_536, pattern=parse_pattern("bad"), context=context)
    found = read(joined(lines), wanted, size)
    assert found.text == "\n".join(grep(lines, "bad", context))
    assert found.matches == sum("bad" in line for line in lines)
    assert found.truncated is False


@pytest.mark.parametrize(
    ("expression", "matches"),
    [
        ("^b", 2),
        ("d$", 1),
        (r"\Abad", 1),
        (r"d\z", 1),
        ("(?i)BAD", 2),
        ("(?-m)^bar$", 1),
        ("x|bar", 1),
        (r"[^\n]*a[^\n]*", 3),
        ("$", 4),
    ],
)
def test_anchors_are_those_of_a_line(expression: str, matches: int) -> None:
    """Also where many lines are searched at once to find that none matches."""
    log = b"bad\nbar\nfoo\nBad one\n"
    wanted = Wanted(lines=9, max_bytes=9000, pattern=parse_pattern(expression))
    assert read(log, wanted).matches == matches


@pytest.mark.requirement("ci.log.grep")
@pytest.mark.parametrize("expression", ["a(", "[", "a**", "(?<x>", "\\", "\ud800", "x{9999}"])
def test_what_is_no_expression_is_refused(expression: str) -> None:
    """With RE2's words."""
    with pytest.raises(InvalidInput) as caught:
        parse_pattern(expression)
    assert caught.value.details["reason"] == "invalid_pattern"


def test_no_expression_is_no_pattern() -> None:
    """An empty one asks for nothing."""
    assert parse_pattern("") is None


def test_a_window_takes_its_seconds_and_lines_without_a_stamp() -> None:
    """Both ends included; a line that has no stamp belongs to the one before it."""
    begin = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    seconds = (4, 5, 6, 7)
    log = b"no stamp\n" + b"".join(
        b"2026-01-02T03:04:%02d.9999999Z %d\nand more\n" % (second, second) for second in seconds
    )
    window = Window.of(begin, begin.replace(second=6))
    found = read(log, Wanted(lines=99, max_bytes=9000, window=window))
    assert found.text == "5\nand more\n6\nand more"
    assert (found.first_line, found.selected_lines, found.total_lines) == (4, 4, 9)
    to_the_end = read(log, Wanted(lines=99, max_bytes=9000, window=Window.of(begin, None)))
    assert to_the_end.selected_lines == 6


def test_matches_of_a_step_are_within_it() -> None:
    """Lines outside of the window are neither matches nor context."""
    begin = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    log = b"".join(b"2026-01-02T03:04:%02d.0000000Z x%d\n" % (k, k) for k in range(10))
    wanted = Wanted(
        lines=99,
        max_bytes=9000,
        pattern=parse_pattern("$"),
        context=5,
        window=Window.of(begin, begin.replace(second=6)),
    )
    for size in (7, 31, 1000):
        found = read(log, wanted, size)
        assert (found.text, found.matches, found.total_lines) == ("6:x5\n7:x6", 2, 10)


def test_a_line_that_does_not_fit_alone_is_cut() -> None:
    """Its beginning stays, and the answer says that it is not all."""
    found = read("ü".encode() * 3000, Wanted(lines=5, max_bytes=1000))
    assert found.text.startswith("üü")
    assert found.text.endswith("[... cut]")
    assert (len(found.text.encode()) <= 1000, found.truncated) == (True, True)


def large(line: bytes, total: int) -> Iterator[bytes]:
    block = line * (65_536 // len(line))
    for _ in range(total // len(block)):
        yield block


@pytest.mark.requirement("ci.log.bounded")
@pytest.mark.parametrize(
    ("line", "expression"),
    [
        (b"2026-01-02T03:04:05.1234567Z ok\r\n", ""),
        (b"2026-01-02T03:04:05.1234567Z ok\r\n", "o|$"),
        (b"x" * 30_000, "x"),
        (b"\n", ""),
        (b"%\r", "%"),
        (b"\x1b[0m" * 1000 + b"\n", "$"),
    ],
)
def test_what_a_reader_holds_is_bounded(line: bytes, expression: str) -> None:
    """Short lines, none, endless ones, progress bars, escape sequences: some megabytes at most."""
    wanted = Wanted(lines=5000, max_bytes=65_536, pattern=parse_pattern(expression), context=50)
    reader = LogReader(wanted)
    tracemalloc.start()
    try:
        for chunk in large(line, MIB // 4):
            reader.feed(chunk)
        reader.result()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 12 * MIB

"""What is shown of a raw line: what a person would have seen, and what was hidden from one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_ci_status.log_text import clean, show

STAMP = "2026-01-02T03:04:05.1234567Z "
PLAIN = st.text(st.characters(exclude_characters="\x1b\r\n", codec="utf-8"))
SEQUENCES = st.one_of(
    st.from_regex(re.compile(r"\x1b\[[0-?]{0,8}[ -/]{0,2}[@-~]", re.ASCII), fullmatch=True),
    st.from_regex(re.compile(r"\x1b\][^\x07\x1b\r\n]{0,20}(?:\x07|\x1b\\)"), fullmatch=True),
    st.from_regex(re.compile(r"\x1b[PX^_][^\x1b\r\n]{0,20}\x1b\\"), fullmatch=True),
    st.sampled_from(["\x1b(B", "\x1bM", "\x1b7", "\x1b=", "\x1bc"]),
)


@pytest.mark.requirement("ci.log.text")
@given(parts=st.lists(st.tuples(PLAIN, SEQUENCES), max_size=8), end=PLAIN)
def test_escape_sequences_go_and_everything_else_stays(
    parts: list[tuple[str, str]], end: str
) -> None:
    """Colours, cursor movements, titles, hyperlinks: whatever stands between them is text."""
    raw = STAMP + "".join(text + sequence for text, sequence in parts) + end
    assert clean([raw.encode()]) == "".join(text for text, _ in parts) + end


@given(lines=st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"))))
def test_lines_together_are_cleaned_like_each_alone(lines: list[str]) -> None:
    """As many come out as went in."""
    raw = [line.encode() for line in lines]
    assert (clean(raw).split("\n") if raw else []) == [clean([line]) for line in raw]


@pytest.mark.requirement("ci.log.text")
@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (f"{STAMP}hello\r", "hello"),
        ("2026-01-02T03:04:05Z hello", "hello"),
        ("2026-01-02T03:04:05.1234567Z", ""),
        ("2026-01-02T03:04:05.1234567Z\r", ""),
        (f"{STAMP}{STAMP}its own", f"{STAMP}its own"),
        ("2026-01-02 not a stamp", "2026-01-02 not a stamp"),
        (f"{STAMP}10%\r20%\r30%\r\r", "30%"),
        (f"{STAMP}50%\r\x1b[K", ""),
        ("tab\there", "tab\there"),
        ("\x1b[1mbold\x1b[0m\x1b]8;;http://x\x07link\x1b]8;;\x07", "boldlink"),
        ("lone \x1b", "lone "),
        ("unfinished \x1b]0;title", "unfinished ]0;title"),
        ("##[error]\x1b[31mred", "##[error]red"),
    ],
)
def test_each_line_is_shown_in_its_last_state(raw: str, text: str) -> None:
    """One timestamp goes, carriage returns overwrite, GitHub's marks stay."""
    assert clean([raw.encode()]) == text


def test_bytes_that_are_no_text_are_replaced() -> None:
    """Invalid UTF-8 never fails."""
    assert clean([b"a\xffb\xc3"]) == "a\ufffdb\ufffd"


@pytest.mark.requirement("ci.log.untrusted")
def test_what_nobody_sees_is_spelled_out_and_counted() -> None:
    """Zero-width, bidirectional and control characters, also those that break lines elsewhere."""
    found = show(["a\u200bb".encode(), "\u202ec\u2028d\x85e".encode(), b"\x00\x08\x7f", b"plain"])
    assert found.lines == (
        "a\\u{200B}b",
        "\\u{202E}c\\u{2028}d\\u{85}e",
        "\\u{0}\\u{8}\\u{7F}",
        "plain",
    )
    assert found.invisible == 7


@pytest.mark.requirement("ci.log.untrusted")
def test_secrets_are_not_shown_also_when_a_key_takes_many_lines() -> None:
    """Nor the rest of a key whose beginning is not among the lines."""
    key = ["MIIEpAIBAAKCAQEAx1234567890abc=", "-----END PRIVATE KEY-----"]
    begin = "-----BEGIN PRIVATE KEY-----"
    for lines in (["before", *key, "after"], ["before", begin, *key, "after"], [begin, "odd line"]):
        found = show([line.encode() for line in lines])
        hidden = ["[private key]" if line in {begin, *key, "odd line"} else line for line in lines]
        assert list(found.lines) == hidden
    assert show([b"Authorization: Bearer abcdefgh1234"]).lines == (
        "Authorization: Bearer [redacted]",
    )


def test_no_lines_are_no_text() -> None:
    """An empty excerpt has none."""
    assert show([]).lines == ()

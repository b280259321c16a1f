"""Hidden markers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.markers import Marker, marker_of, parse_marker, without_marker

PRINTABLE = st.text(min_size=1, max_size=40).filter(
    lambda text: text.isprintable() and text.strip() == text
)


@given(PRINTABLE)
def test_a_marker_is_read_back_whatever_it_says(text: str) -> None:
    """What is written at the head of a body is found there again."""
    marker = Marker(text=text, part=2, parts=3)
    assert marker_of(marker.line() + "body") == marker
    assert without_marker(marker.line() + "body") == "body"


@given(PRINTABLE)
def test_a_marker_never_breaks_out_of_its_comment(text: str) -> None:
    """Between the comment's own ends stands neither `--` nor an angle bracket."""
    line = Marker(text=text).line()
    inside = re.fullmatch(r"<!--(.*)-->\n", line)
    assert inside is not None
    assert not re.search(r"--|[<>]", inside.group(1))


def test_a_readable_marker_stays_readable() -> None:
    """Usual names are not encoded."""
    assert Marker(text="review/pr-12:summary").line() == (
        "<!-- trunkline:marker=review/pr-12:summary -->\n"
    )


def test_a_quoted_marker_is_not_a_marker() -> None:
    """Only the head of a body counts."""
    assert marker_of("> <!-- trunkline:marker=a -->\n") is None
    assert marker_of("see\n<!-- trunkline:marker=a -->\n") is None


def test_a_marker_survives_the_line_ends_that_a_browser_puts_in() -> None:
    """A body edited by hand comes back with carriage returns."""
    assert marker_of("<!-- trunkline:marker=a -->\r\nbody") == Marker(text="a")
    assert without_marker("<!-- trunkline:marker=a -->\r\nbody") == "body"


@pytest.mark.parametrize("text", ["  ", "a\nb", "a\x00", "x" * 201, "漢" * 30])
def test_an_unusable_marker_is_refused(text: str) -> None:
    """Blank, unprintable and overlong markers are the caller's to mend."""
    with pytest.raises(InvalidInput, match="marker"):
        parse_marker(text)


def test_no_marker_is_none() -> None:
    """The empty text is how a caller names no marker."""
    assert parse_marker("") is None

"""What a body must be before it leaves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_comment.outgoing_text import MOST_PARTS, checked, fitted, parts
from trunkline_shared.errors import BlockedByPolicy, InvalidInput, TooLarge
from trunkline_shared.github.markers import Marker
from trunkline_shared.github.outgoing_text import MAX_CHARACTERS

MARKER = Marker(text="m")
HEAD = MARKER.line()
KEY = "-----BEGIN RSA PRIVATE KEY-----\nabc"


@pytest.mark.parametrize("body", ["", " \n\t", "\u3000", HEAD, "a\ud83d", "\udc00"])
def test_what_is_no_text_is_refused(body: str) -> None:
    """Blank bodies, and halves of surrogate pairs, which are no characters."""
    with pytest.raises(InvalidInput, match="body"):
        checked(body)


@pytest.mark.parametrize(("body", "marker"), [(f"a {KEY}", None), ("a", Marker(text=KEY))])
def test_a_secret_is_refused_by_its_kind(body: str, marker: Marker | None) -> None:
    """In the body or in the marker; the failure does not repeat it."""
    with pytest.raises(BlockedByPolicy, match="private key") as caught:
        checked(body, marker=marker)
    assert "BEGIN" not in str(vars(caught.value))


def test_our_own_marker_is_taken_off_what_was_read_and_sent_back() -> None:
    """Markers are put on after everything else, once."""
    assert checked(HEAD + "a") == "a"
    assert fitted("a", "error", MARKER) == (HEAD + "a", False)


@given(st.text(min_size=1).filter(str.strip))
def test_any_other_text_leaves_as_it_is(body: str) -> None:
    """Nothing is normalised behind the author's back."""
    assert checked(body) == body


def test_the_marker_counts_towards_the_limit() -> None:
    """A body that just fits alone does not fit below its marker."""
    body = "a" * MAX_CHARACTERS
    assert fitted(body, "error", None) == (body, False)
    with pytest.raises(TooLarge) as caught:
        fitted(body, "error", MARKER)
    assert caught.value.details["max_characters"] == MAX_CHARACTERS
    assert fitted(body, "truncate", MARKER)[1]


def test_every_part_bears_its_own_marker() -> None:
    """Numbered, so that each is found by itself."""
    bodies, _ = parts("word " * 30_000, "split", MARKER)
    heads = [text.partition("\n")[0] for text in bodies]
    assert heads == [Marker(text="m", part=k, parts=3).line().rstrip("\n") for k in (1, 2, 3)]


def test_a_body_that_needs_too_many_parts_is_refused() -> None:
    """A flood of comments helps nobody."""
    with pytest.raises(TooLarge):
        parts("word " * (MOST_PARTS * MAX_CHARACTERS // 5), "split", None)

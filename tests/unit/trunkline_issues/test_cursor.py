"""Cursors: what was written is read, and nothing else is."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_issues.cursor import BEGINNING, Place, following, read, written
from trunkline_shared.errors import InvalidInput

PLACES = st.builds(
    Place,
    page=st.integers(1, 1_000_000),
    after=st.text("abcXYZ019+/=_.-", max_size=80),
    skip=st.integers(0, 99),
)
QUESTIONS = st.tuples(st.text(max_size=10), st.integers())


@given(place=PLACES, question=QUESTIONS)
def test_a_cursor_leads_back_to_its_place(place: Place, question: tuple[str, int]) -> None:
    """For the question that it was written for."""
    assert read(written(place, *question), *question) == place


@given(place=PLACES, asked=QUESTIONS, other=QUESTIONS)
def test_a_cursor_of_another_question_is_refused(
    place: Place, asked: tuple[str, int], other: tuple[str, int]
) -> None:
    """It would lead into the midst of another list."""
    if asked != other:
        with pytest.raises(InvalidInput):
            read(written(place, *asked), *other)


@given(cursor=st.text(min_size=1) | st.binary(min_size=1).map(base64.urlsafe_b64encode).map(str))
def test_any_other_text_is_invalid_input(cursor: str) -> None:
    """Never anything but INVALID_INPUT."""
    with pytest.raises(InvalidInput) as caught:
        read(cursor, "question")
    assert caught.value.details["field_errors"]


@pytest.mark.parametrize(
    "parts",
    [
        ["d", 0, "", 0],
        ["d", 1_000_001, "", 0],
        ["d", True, "", 0],
        ["d", 1, "", 100],
        ["d", 1, "", -1],
        ["d", 1, "", False],
        ["d", 1, "&repo=x", 0],
        ["d", 1, "x" * 501, 0],
        ["d", 1.0, "", 0],
        ["d", 1, "", 0, 0],
        {"page": 1},
        None,
    ],
)
def test_a_cursor_that_somebody_made_up_is_refused(parts: object) -> None:
    """Its parts are bounded, and nothing in them can become another parameter."""
    made = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")
    with pytest.raises(InvalidInput):
        read(made, "question")


def test_no_cursor_is_the_beginning() -> None:
    """An empty text, as agents send it."""
    assert read("", "anything") == BEGINNING


@pytest.mark.parametrize(
    ("next_url", "place"),
    [
        (None, None),
        ("https://api.github.com/repositories/1/issues?page=3", Place(page=3)),
        ("https://h/x?per_page=100&after=Y3Vyc29y%3D%3D&page=2", Place(page=2, after="Y3Vyc29y==")),
        ("https://h/x?per_page=100", None),
    ],
)
def test_the_next_link_names_the_next_place(next_url: str | None, place: Place | None) -> None:
    """By page, and by GitHub's own cursor where it has one."""
    assert following(next_url) == place


def test_a_place_asks_for_itself() -> None:
    """GitHub's cursor is sent only where there is one."""
    assert Place(page=2).query == (("page", "2"),)
    assert Place(page=2, after="a==").query == (("page", "2"), ("after", "a=="))

"""Counting what a ratio says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_project_reader.todolist_listing import counts


@given(st.integers(min_value=0, max_value=10**6), st.integers(min_value=0, max_value=10**6))
def test_a_ratio_is_two_numbers(done: int, total: int) -> None:
    """How many are done, and how many there are."""
    assert counts(f"{done}/{total}") == (done, total)


@pytest.mark.parametrize("ratio", ["", "/", "3", "3/", "/4", "-1/4", "a/b", "1/2/3", "¼/½", "٣/٤"])
def test_anything_else_is_none(ratio: str) -> None:
    """Nothing is guessed."""
    assert counts(ratio) == (None, None)

"""Texts of issues on their way to a model."""

from hypothesis import given
from hypothesis import strategies as st

from trunkline_issues.issue_shapes import cut
from trunkline_shared.untrusted import sanitize


@given(text=st.text(), most=st.integers(0, 40))
def test_a_cut_text_is_a_beginning_within_its_bound(text: str, most: int) -> None:
    """Cut only if it was too long, and clean either way."""
    shown, truncated = cut(text, most)
    assert len(shown) <= most
    assert sanitize(shown) == shown
    assert truncated is (len(sanitize(text)) > most)
    assert truncated or shown == sanitize(text)

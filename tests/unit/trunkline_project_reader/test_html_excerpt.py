"""The beginning of a rich text on one line."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_project_reader.html_pieces import Piece, documents
from trunkline_project_reader.html.excerpt import excerpt


@pytest.mark.parametrize(
    ("html", "limit", "expected"),
    [
        ("", 10, ""),
        ("<div>one <b>two</b><br>three</div>", 20, "one two three"),
        ("<div>one <b>two</b><br>three</div>", 12, "one two…"),
        ("<div>one two</div>", 7, "one two"),
        ("<div>one two</div>", 6, "one…"),
        ("<p>one</p><p>two</p>", 99, "one two"),
        ("abcdefghij", 5, "abcd…"),
        ("<ul><li>a<li>b</ul><table><tr><td>c</table><pre>d\n e</pre><hr>", 99, "a b c d e"),
        ("<script>x</script><p hidden>y</p>a *b* &amp; c", 99, "a *b* & c"),
        ('<bc-attachment filename="a.pdf" filesize="1000"></bc-attachment>', 99, "a.pdf (1.0 kB)"),
    ],
)
def test_an_excerpt_is_plain_text_cut_at_a_word(html: str, limit: int, expected: str) -> None:
    """Whole when it fits; marked with an ellipsis when not."""
    assert excerpt(html, limit) == expected


@settings(max_examples=30)
@given(documents, st.integers(min_value=5, max_value=60))
def test_an_excerpt_is_never_longer_than_asked_for(piece: Piece, limit: int) -> None:
    """Nor more than one line."""
    text = excerpt(piece.html, limit)
    assert len(text) <= limit
    assert text == " ".join(text.split())


def test_a_long_text_is_not_read_to_its_end() -> None:
    """Its excerpt costs what a short one's does."""
    begun = time.process_time()
    for _ in range(10):
        excerpt("<p>some <b>words</b> and more</p>" * 200_000)
    assert time.process_time() - begun < 1

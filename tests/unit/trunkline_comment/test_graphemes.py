"""Cuts between grapheme clusters."""

import pytest

from trunkline_comment.graphemes import whole_before


@pytest.mark.parametrize(
    ("text", "at", "whole"),
    [
        ("abc", 0, 0),
        ("abc", 2, 2),
        ("abc", 3, 3),
        ("ae\u0301b", 2, 1),
        ("a\r\nb", 2, 1),
        ("a\n\u0301", 2, 2),
        ("a👍🏽", 2, 1),
        ("a👩‍👩‍👧", 4, 1),
        ("🇩🇪🇫🇷", 1, 0),
        ("🇩🇪🇫🇷", 2, 2),
        ("🇩🇪🇫🇷", 3, 2),
        ("a\ufe0fb", 1, 0),
        ("\u1112\u1161\u11ab", 1, 0),
    ],
)
def test_a_cut_moves_back_to_the_start_of_a_cluster(text: str, at: int, whole: int) -> None:
    """Accents, line ends, skin tones, families, flags, selectors and Hangul stay whole."""
    assert whole_before(text, at) == whole


def test_a_cluster_without_end_is_cut_where_it_was_asked() -> None:
    """Looking back is bounded."""
    assert whole_before("a" + "\u0301" * 1_000, 900) == 900

"""Whether the suggestion blocks of a comment are fenced rightly."""

import pytest

from trunkline_inline_review.suggestions import suggestions_in


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Please rename it.", 0),
        ("```python\nx = 1\n```", 0),
        ("See ```suggestion``` inline", 0),
        ("    ```suggestion\n    code\n", 0),
        ("```suggestion `x`\ncode", 0),
        ("```suggestion\nx = 1\n```", 1),
        ("Better:\r\n```suggestion\r\nx = 1\r\n```\r\n", 1),
        ("```suggestion\n```", 1),
        ("~~~suggestion\nx\n~~~", 1),
        ("````suggestion\n```python\nx\n```\n````\n", 1),
        ("```suggestion\na\n```\nor\n```suggestion\nb\n```", 2),
        ("```suggestion\nprint('```')\n```", 1),
        ("```text\n```suggestion\n```", 0),
    ],
)
def test_blocks_that_are_fenced_rightly_are_counted(text: str, count: int) -> None:
    """CommonMark's fences: equal character, at least as long, nothing behind the closing one."""
    found = suggestions_in(text)
    assert (found.count, found.problem) == (count, "")


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("```suggestion\nx = 1", "end it with ``` on a line of its own"),
        ("```suggestion\nx = 1```", "end it with ``` on a line of its own"),
        ("```suggestion\nx = 1\n``", "end it with ``` on a line of its own"),
        ("```suggestion\n```python\nx\n```\n```", "````suggestion"),
        ("```suggestion\nSee:\n```\ncode\n```\n", "````"),
        ("~~~~suggestion\n~~~~ruby\nx\n~~~~\n~~~~", "~~~~~suggestion"),
    ],
)
def test_blocks_that_are_fenced_wrongly_are_told_with_the_fix(text: str, fix: str) -> None:
    """Unclosed, closed in the middle, or holding a fence of their own length."""
    assert fix in suggestions_in(text).problem

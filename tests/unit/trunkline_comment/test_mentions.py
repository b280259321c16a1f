"""Mentions that notify nobody."""

import pytest

from trunkline_comment.mentions import escape_mentions

BROKEN = "@&#8203;"


@pytest.mark.parametrize(
    ("body", "escaped"),
    [
        ("@octocat hi", f"{BROKEN}octocat hi"),
        ("cc @acme/team, (@bob)", f"cc {BROKEN}acme/team, ({BROKEN}bob)"),
        ("- **@bob**\n> @bob", f"- **{BROKEN}bob**\n> {BROKEN}bob"),
        ("line\n@bob", f"line\n{BROKEN}bob"),
    ],
)
def test_mentions_in_text_are_broken(body: str, escaped: str) -> None:
    """People and teams are named without being paged."""
    assert escape_mentions(body) == escaped


@pytest.mark.parametrize(
    "body",
    [
        "mail a@example.org",
        "https://example.org/@bob",
        "`@decorator` and ``x @y` z``",
        "```py\n@decorator\n```\n",
        "    @indented_code\n",
        "@ alone, a@, @-",
        "no mention",
        "",
    ],
)
def test_what_is_no_mention_is_left_alone(body: str) -> None:
    """Addresses, URLs and code stay as they are."""
    assert escape_mentions(body) == body


def test_a_stray_backtick_hides_no_mention_of_a_later_paragraph() -> None:
    """A code span ends with its paragraph."""
    assert escape_mentions("a ` b\n\n@bob `") == f"a ` b\n\n{BROKEN}bob `"


def test_escaping_twice_is_escaping_once() -> None:
    """A comment read back and sent again does not grow."""
    once = escape_mentions("@bob and `@bob`")
    assert escape_mentions(once) == once

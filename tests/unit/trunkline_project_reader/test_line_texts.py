"""What a line of a campfire says."""

import cmarkgfm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_project_reader.basecamp.campfire import SentLine
from trunkline_project_reader.line_texts import plain_text, rich_text


def line(kind: str, content: str | None) -> SentLine:
    """Return a line as Basecamp sends it."""
    return SentLine.model_validate({
        "id": 1,
        "bucket": {"id": 2},
        "type": f"Chat::Lines::{kind}",
        "content": content,
    })


@pytest.mark.parametrize(
    ("kind", "content", "is_rich"),
    [
        ("RichText", "<div>x</div>", True),
        ("RichText", "a < b", True),
        ("Integration", "x", True),
        ("Upload", None, True),
        ("Text", "x", False),
        ("Text", "a<b and c>d", False),
        ("Text", "<b>x</b>", True),
        ("Text", "one<br>two", True),
        ("Text", "a &lt; b", True),
        ("Code", "if (a<b) { c>d }", False),
    ],
)
def test_only_some_lines_are_html(kind: str, content: str | None, *, is_rich: bool) -> None:
    """Text and code are plain, unless they cannot be."""
    assert (rich_text(line(kind, content)) is not None) is is_rich


@pytest.mark.parametrize("content", ["", "  \n ", None])
def test_a_line_without_words_says_nothing(content: str | None) -> None:
    """No empty block either."""
    assert plain_text(line("Text", content)) == ""
    assert plain_text(line("Code", content)) == ""


WORDS = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=4))
def test_a_plain_line_reads_back_as_it_was(words: list[str]) -> None:
    """Whatever Markdown would make of its characters."""
    html = cmarkgfm.github_flavored_markdown_to_html(plain_text(line("Text", " ".join(words))))
    shown = html.replace("<p>", "").replace("</p>", "").strip()
    for escaped, plain in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        shown = shown.replace(escaped, plain)
    assert shown == " ".join(words)


def test_lines_of_a_line_stay_apart() -> None:
    """And code keeps its own."""
    assert plain_text(line("Text", "one\ntwo")) == "one\\\ntwo"
    assert plain_text(line("Code", "a = 1\n\nb = 2")) == "```\na = 1\n\nb = 2\n```"
    assert plain_text(line("Text", "in\u202evisible")) == "invisible"

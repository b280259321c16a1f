"""Nothing that a rich text shows is missing from its Markdown, whatever it holds."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_project_reader.html_pieces import Piece, documents, plain
from tests.unit.trunkline_project_reader.html_shown import github, shown, targets, without_space
from trunkline_project_reader.html.conversion import to_document
from trunkline_shared.markdown.writer import to_markdown

# fmt: off
_TAGS = [
    "b", "i", "u", "em", "strong", "strike", "code", "a", "sub", "sup", "span", "div", "p", "h1",
    "h2", "ul", "ol", "li", "blockquote", "pre", "table", "tr", "td", "th", "tbody", "thead",
    "br", "hr", "details", "summary", "figure", "figcaption", "section", "dl", "dt", "dd",
    "center", "custom-tag",
]
# fmt: on
_WORDS = st.text(st.sampled_from("abcé1#*_|<&"), min_size=1, max_size=4)
_SOUP = st.lists(
    st.one_of(
        _WORDS.map(lambda word: word.replace("&", "&amp;").replace("<", "&lt;")),
        st.sampled_from(_TAGS).map("<{}>".format),
        st.sampled_from(_TAGS).map("</{}>".format),
        st.sampled_from([
            "<!-- c -->",
            "<script>s</script>",
            "<a href='/x?a=1'>",
            " ",
            "<img alt=i>",
        ]),
    ),
    max_size=25,
).map("".join)


def _rendered(html: str) -> str:
    return github(to_markdown(to_document(html).blocks))


@pytest.mark.requirement("basecamp.html")
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(documents)
def test_what_a_text_shows_is_what_its_markdown_shows(piece: Piece) -> None:
    """Each character in its order, metacharacters included; links lead where they led."""
    page = _rendered(piece.html)
    assert shown(page) == without_space(piece.shown)
    assert set(targets(page)) == set(piece.targets)


@pytest.mark.requirement("basecamp.hostile-html")
@given(_SOUP)
def test_of_any_soup_of_tags_a_browser_shows_the_same(html: str) -> None:
    """No character more or less than the standard's parser sees; the order is the parser's own."""
    assert Counter(shown(_rendered(html))) == Counter(shown(html))


@given(st.text(max_size=40))
def test_any_text_at_all_is_read(html: str) -> None:
    """Whatever is no HTML is text, or not shown."""
    assert to_document(html) == to_document(html)


@given(st.lists(plain, min_size=1, max_size=4))
def test_preformatted_text_is_kept_to_the_character(lines: list[str]) -> None:
    """Spaces and lines count there."""
    code = "x" + "\n".join(lines) + "x"
    escaped = code.replace("&", "&amp;").replace("<", "&lt;")
    assert _rendered(f"<pre>{escaped}</pre>") == _rendered(f"<pre>\n{escaped}\n</pre>")
    (block,) = to_document(f"<pre>\n{escaped}</pre>").blocks
    assert getattr(block, "text", "") == code

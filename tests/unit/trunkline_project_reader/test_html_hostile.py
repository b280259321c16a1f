"""Markup that means harm, or that nobody meant at all."""

import time

import pytest

from trunkline_project_reader.html.conversion import to_document
from trunkline_shared.markdown.writer import to_markdown

pytestmark = pytest.mark.requirement("basecamp.hostile-html")


def markdown(html: str) -> str:
    return to_markdown(to_document(html).blocks)


@pytest.mark.parametrize(
    "unit",
    [
        "<div>", "<blockquote>", "<ul><li>", "<ul>", "<li>", "<table><tr><td>", "<b>", "<b><i>",
        "<a href=x>", "<pre>", "<h1>", "<p hidden>", "<font size=1>", "<bc-attachment>", "<td>",
        "<", "</", "<!--", "<a b='", "&", "&amp", "<script>", "<b x=1><p>", "<details>",
    ],
)  # fmt: skip
def test_a_tower_of_anything_is_read_in_time_that_grows_with_its_length_alone(unit: str) -> None:
    """Twice the text takes no four times as long, and the stack holds."""

    def cost(count: int) -> float:
        begun = time.process_time()
        markdown(unit * count + "deep")
        return time.process_time() - begun

    cost(100)
    small, large = min(cost(1_000) for _ in range(3)), min(cost(8_000) for _ in range(2))
    assert large < small * 32 + 0.1


@pytest.mark.parametrize("tag", ["div", "blockquote", "b"])
def test_the_text_at_the_bottom_of_200_000_elements_is_read(tag: str) -> None:
    """Structure goes where it is too deep; text stays."""
    assert "deep" in markdown(f"<{tag}>" * 200_000 + "deep" + f"</{tag}>" * 200_000)


def test_what_follows_a_tower_stands_outside_of_it() -> None:
    """Each end tag ends what it began, also what was too deep to be a block."""
    tower = "<blockquote>" * 500 + "deep" + "</blockquote>" * 500
    assert markdown(f"{tower}<p>after</p>").endswith("\n\nafter")


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td rowspan=9999 colspan=9999>x" + "<tr><td>y" * 3_000,
        "<table><tr>" + "<td>x" * 3_000 + "<tr><td>y" * 3_000,
    ],
)
def test_the_spans_of_a_table_do_not_multiply_it(html: str) -> None:
    """A page of cells out of a line of tags is nobody's table."""
    assert len(markdown(html)) < 30 * len(html)


@pytest.mark.parametrize(
    "html",
    [
        "a<script>x<b></script>", "a<style>x</style>", "a<!-- x -->", "a<!--x", "a<!x>", "a<?x?>",
        "a<template><p>x<template>y</template>z</template>", "a<div hidden>x<div>y</div>z</div>",
        "a<p hidden>x", "a<title>x</title>", "a<iframe>x</iframe>", "a<dialog>x</dialog>",
        'a<span style="color:red; display : NONE">x</span>', "a<i style=visibility:hidden>x</i>",
        "a<img hidden src=https://e.com alt=x>", "a<b title=x", "a<SCRIPT>x</sCript >",
        "<p>a<ul><li hidden>x</ul>", "a</x y=z>", "<div>a<p hidden>x</div>", "a<script>x",
    ],
)  # fmt: skip
def test_what_a_browser_does_not_show_is_not_read(html: str) -> None:
    """Comments, scripts, templates, hidden elements and what is in them."""
    assert markdown(html) == "a"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p hidden>x<p>a", "a"),
        ("<div><span hidden>x</div>a", "a"),
        ("<ul><li hidden>x<li>a</ul>", "- a"),
        ("<table><tr><th hidden>x<th>a</table>", "| a |\n| --- |"),
        ("<dialog open>a</dialog>", "a"),
        ("<noscript>a</noscript>", "a"),
        ("<textarea><b>a</b></textarea>", "\\<b>a\\</b>"),
        ("<xmp><b>a</b></xmp>", "```\n<b>a</b>\n```"),
        ("<svg><text>a</text></svg>", "a"),
        ("<div data-hidden='x'>a</div>", "a"),
    ],
)
def test_what_a_browser_shows_is_read(html: str, expected: str) -> None:
    """Hidden elements end where a browser ends them."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("a\x00b\x08c\x7f", "abc"),
        ("a\u202eb\u200bc\U000e0041", "abc"),
        ("a&#x202e;b&#8203;c&shy;d", "abcd"),
        ("&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"),
        ("&notit; &notin; &amp &bogus; &#; &", "¬it; ∉ & \\&bogus; &#; &"),
        ("&lt;b&gt; &amp;lt;", "\\<b> \\&lt;"),
        ("<b", ""),
        ("1 < 2 <3", "1 < 2 <3"),
        ("a\r\nb\rc", "a b c"),
        ("<p title='a>b' data-x=\"<c>\">d</p>", "d"),
        ("<p don't>a</p>b", "a\n\nb"),
        ("<P>a<BR>b</P>", "a\\\nb"),
        ("👨\u200d👩\u200d👧 ❤\ufe0f", "👨\u200d👩\u200d👧 ❤\ufe0f"),
        ("<scr\x00ipt>a", "a"),
    ],
)
def test_broken_text_is_read_as_a_browser_reads_it(html: str, expected: str) -> None:
    """Entities without end, characters without form, quotes that are none."""
    assert markdown(html) == expected

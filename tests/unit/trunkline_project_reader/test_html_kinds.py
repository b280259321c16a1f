"""Each kind of markup that Basecamp's editors write, and how it stands in Markdown."""

from html import escape

import pytest

from tests.unit.trunkline_project_reader.html_shown import github, shown, without_space
from trunkline_project_reader.html.conversion import to_document
from trunkline_shared.markdown.document import Paragraph, Text
from trunkline_shared.markdown.writer import to_markdown

pytestmark = pytest.mark.requirement("basecamp.html")


def markdown(html: str) -> str:
    return to_markdown(to_document(html).blocks)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<strong>a</strong> <em>b</em> <strike>c</strike>", "**a** _b_ ~~c~~"),
        ("<b>a</b> <i>b</i> <s>c</s> <del>d</del>", "**a** _b_ ~~c~~ ~~d~~"),
        ("H<sub>2</sub>O <u>u</u> x<sup>2</sup>", "H<sub>2</sub>O <ins>u</ins> x<sup>2</sup>"),
        ("<em>a <strong>b</strong> c</em>", "_a **b** c_"),
        ("<strong>a</strong><strong>b</strong>", "**ab**"),
        ("<b>a <i>b</b> c</i>", "**a _b_** _c_"),
        ("<strong>a </strong>b<strong> </strong>c", "**a** b c"),
        ("<strong>a<br>b</strong>", "**a\\\nb**"),
        ("run <code>make  *all*</code>", "run `make *all*`"),
        ("<kbd>Ctrl</kbd>", "`Ctrl`"),
        ("<span style='color: red'>a<font>b</font></span>", "ab"),
    ],
)
def test_text_is_set_as_it_was(html: str, expected: str) -> None:
    """Whatever element says so, and however they are closed."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div>a<br>b<br><br>c</div>", "a\\\nb\n\nc"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<div><br>a<br></div>", "a"),
        ("<p>a</p>\n  <p>b\n   c\t d</p>", "a\n\nb c d"),
        ("a<div>b</div>c", "a\n\nb\n\nc"),
        ("<b>a<p>b</p></b>c", "**a**\n\n**b**\n\nc"),
        ("<h1>a</h1>b<h3>c <em>d</em></h3>", "# a\n\nb\n\n### c _d_"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<details><summary>S</summary>a</details>", "S\n\na"),
        ("<dl><dt>a<dd>b</dl>", "a\n\nb"),
        ("a&nbsp;b", "a\N{NO-BREAK SPACE}b"),
    ],
)
def test_lines_and_paragraphs_are_where_they_were(html: str, expected: str) -> None:
    """Two breaks make a paragraph, as Trix writes them; white space counts as in HTML."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
        ("<ol start=3><li>a</li><li>b</li></ol>", "3. a\n4. b"),
        ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<ul><ul><li>a</li></ul></ul>", "- * a"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<li>a</li><li>b</li>c", "- a\n- b\n\nc"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
        ("<ul>a<li>b</li></ul>", "- a\n- b"),
        ("<ul><li><blockquote>a</blockquote></li></ul>", "- > a"),
        ("<ul><li><input type=checkbox checked> a</li></ul>", "- [x] a"),
        ("<ul><li>a</ul>b</ul>", "- a\n\nb"),
    ],
)
def test_lists_are_lists_however_broken(html: str, expected: str) -> None:
    """Lists in lists, items outside of lists, paragraphs in items."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<blockquote>a<br>b</blockquote>", "> a\\\n> b"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> > b\n\nc"),
        ("<pre>a\n  b &lt;c&gt; *d*\n</pre>", "```\na\n  b <c> *d*\n```"),
        ('<pre class="x language-py"><code>a</code></pre>', "```py\na\n```"),
        ('<pre><code class="language-py">a</code></pre>', "```py\na\n```"),
        ('<pre data-language="ruby">a<br>b</pre>', "```ruby\na\nb\n```"),
        ("<pre>a<div>b</div>c</pre>", "```\na\nb\nc\n```"),
        ("<pre>a <b>b</b></pre>c", "```\na b\n```\n\nc"),
        ("<blockquote><pre>a</blockquote>b", "> ```\n> a\n> ```\n\nb"),
    ],
)
def test_quotations_and_code_are_kept(html: str, expected: str) -> None:
    """Quotations in quotations; code to the space, with its language."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<table><thead><tr><th>a<th>b</thead><tr><td>1|2<td>3</table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |",
        ),
        ("<table><tr><th>a</th></tr></table>", "| a |\n| --- |"),
        ("<table><tr><td>a</td></tr></table>", "|  |\n| --- |\n| a |"),
        (
            "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
            "| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |",
        ),
        ("<table><caption>c</caption><tr><th>a</table>", "c\n\n| a |\n| --- |"),
        ("<table>x<tr><th>a</table>y", "x\n\n| a |\n| --- |\n\ny"),
        ("<table><tr><th>a<table><tr><td>b</table></table>", "| a<br>b |\n| --- |"),
        ("<table><tr><th><b>a<td>b</table>c", "|  |  |\n| --- | --- |\n| **a** | b |\n\nc"),
    ],
)
def test_tables_keep_their_cells_in_place(html: str, expected: str) -> None:
    """Heads, spans, captions, tables in tables, text beside cells."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="https://e.com/?a=1&amp;b=2&copy=3">x</a>', "[x](https://e.com/?a=1&b=2&copy=3)"),
        ("<a>x</a> <a href=''>y</a>", "x y"),
        ("<a href=' JavaScript:alert(1)'>x</a>", "x"),
        ("<a href='java\nscript:alert(1)'>x</a>", "x"),
        ("<a href='vbscript:x'>x</a><a href='data:text/html,x'>y</a>", "xy"),
        ("<a href='https://e.com/a b'>x</a>", "[x](https://e.com/a%20b)"),
        ("<a href='https://e.com/\u202ea'>x</a>", "[x](https://e.com/%E2%80%AEa)"),
        ("<a href='https://e.com'>a]b</a>", "[a\\]b](https://e.com)"),
        ("<a href='https://e.com'><div>a</div></a>", "[a](https://e.com)"),
        (
            "<a href='https://e.com/a'>a<a href='https://e.com/b'>b",
            "[a](https://e.com/a)[b](https://e.com/b)",
        ),
        ("<a href='https://e.com'> </a>x", "x"),
    ],
)
def test_links_lead_where_they_led_or_are_text(html: str, expected: str) -> None:
    """Scripts are no targets; nothing invisible rides in one."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=https://e.com/a.png alt='a *b*'>", "![a \\*b\\*](https://e.com/a.png)"),
        ("a<img src=https://e.com/p width=1 height=1>b", "ab"),
        ("<img src=https://e.com/p width=1 height=1 alt=a>", "![a](https://e.com/p)"),
        ("<img src='data:image/png;base64,AAAA' alt=a>", "a"),
        ("<img src='data:image/png;base64,AAAA'>", "\\[image]"),
        (
            "<a href=https://e.com><img src=https://e.com/i alt=a></a>",
            "[![a](https://e.com/i)](https://e.com)",
        ),
        ("<pre>a<img src=https://e.com/i alt=b></pre>", "```\na\n```\n\n![b](https://e.com/i)"),
    ],
)
def test_images_are_shown_unless_they_only_count_readers(html: str, expected: str) -> None:
    """With their alternative texts; what cannot be linked is said."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "text",
    ["# a", "1. a", "- a", "+ a", "> a", "*a*", "_a_", "`a`", "[a](b)", "<b>", "&amp;", "~~a~~"],
)
def test_metacharacters_in_text_stay_text(text: str) -> None:
    """At the beginning of a line above all."""
    html = f"<div>{escape(text)}</div>"
    assert to_document(html).blocks == (Paragraph((Text(text),)),)
    assert shown(github(markdown(html))) == without_space(text)

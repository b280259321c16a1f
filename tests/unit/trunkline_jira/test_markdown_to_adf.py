"""Agents' Markdown as Atlassian documents: valid by the schema, with all of its words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_jira.adf_documents import Json, item, mark, node, paragraph, text
from tests.unit.trunkline_jira.adf_schema import FULL, is_valid
from tests.unit.trunkline_jira.shown import shown
from trunkline_jira.adf.conversion import to_document
from trunkline_jira.writing.markdown_to_adf import markdown_to_adf
from trunkline_shared.markdown.writer import to_markdown


def content(markdown: str) -> list[Json]:
    """The blocks of a valid document."""
    document = markdown_to_adf(markdown)
    assert is_valid(document, FULL)
    blocks = document["content"]
    assert isinstance(blocks, list)
    return blocks


def only(markdown: str) -> Json:
    [block] = content(markdown)
    return block


def words_of(markdown: str) -> str:
    """What comes back when Jira's document is read again."""
    return shown(to_markdown(to_document(markdown_to_adf(markdown)).blocks))


@pytest.mark.parametrize("level", range(1, 7))
def test_a_heading_is_one(level: int) -> None:
    """Of its level."""
    assert only(f"{'#' * level} T") == node("heading", text("T"), level=level)


@pytest.mark.parametrize(
    ("markdown", "kind"),
    [("**x**", "strong"), ("*x*", "em"), ("~~x~~", "strike"), ("`x`", "code")],
)
def test_a_span_is_a_mark(markdown: str, kind: str) -> None:
    """On the text in it."""
    assert only(f"a {markdown}") == paragraph("a ", text("x", mark(kind)))


def test_the_few_tags_of_our_own_markdown_are_marks() -> None:
    """Underline, subscript and breaks have no sign; the others' signs do not always work."""
    assert only("<strong>a<em>b</em></strong><del>c</del><code>d\\|</code>") == paragraph(
        text("a", mark("strong")),
        text("b", mark("strong"), mark("em")),
        text("c", mark("strike")),
        text("d|", mark("code")),
    )
    assert only("<ins>u</ins><sub>2</sub><sup>n</sup><br>x") == paragraph(
        text("u", mark("underline")),
        text("2", mark("subsup", type="sub")),
        text("n", mark("subsup", type="sup")),
        node("hardBreak"),
        "x",
    )


@pytest.mark.parametrize(
    "html",
    ["a <b>x</b> </sub>", "<sub>x", "<script>alert(1)</script>", "<div>\nx\n</div>", "<!-- x -->"],
)
@pytest.mark.requirement("jira.markdown-out")
def test_html_is_shown_as_the_text_it_is(html: str) -> None:
    """Never interpreted, never dropped."""
    assert words_of(html) == " ".join(html.split())


def test_code_keeps_no_mark_but_a_link() -> None:
    """The schema allows no other beside it."""
    link = mark("link", href="https://a.b/")
    assert only("[**`x`**](https://a.b/)") == paragraph(text("x", link, mark("code")))


def test_a_bare_address_is_a_link() -> None:
    """With a scheme; names of files are no addresses."""
    url = "https://a.b/c?d=e_f"
    assert only(f"see {url}, README.md") == paragraph(
        "see ", text(url, mark("link", href=url)), ", README.md"
    )


def test_an_image_is_a_link_to_it() -> None:
    """By its description, or else its address."""
    assert only("![A *cat*](https://a.b/c.png)") == paragraph(
        text("A cat", mark("link", href="https://a.b/c.png"))
    )
    assert words_of("![](https://a.b/c.png)") == "https://a.b/c.png"


def test_lists_nest_with_their_numbers() -> None:
    """The first number is kept."""
    inner = {**node("orderedList", item(paragraph("b"))), "attrs": {"order": 3}}
    assert only("- a\n\n  3. b") == node("bulletList", item(paragraph("a"), inner))


def test_tasks_are_tasks() -> None:
    """With an id each, those below them nested."""
    block = only("- [ ] a\n  - [x] b\n- [X] c")
    tasks = node(
        "taskList",
        node("taskItem", text("a"), localId="task-2", state="TODO"),
        node(
            "taskList",
            node("taskItem", text("b"), localId="task-4", state="DONE"),
            localId="task-3",
        ),
        node("taskItem", text("c"), localId="task-5", state="DONE"),
        localId="task-1",
    )
    assert block == tasks


@pytest.mark.parametrize(
    "markdown",
    ["- [x] a\n- b", "- [x] a\n\n  more", "1. [x] a", "> - [x] a", "- [x] a\n  - b"],
)
def test_a_task_where_the_schema_has_none_keeps_its_box(markdown: str) -> None:
    """Beside other items, with blocks, numbered, quoted."""
    content(markdown)
    assert "[x] a" in words_of(markdown)


def test_an_escaped_box_is_no_task() -> None:
    """The writer meant the brackets."""
    assert only(r"- \[x] a") == node("bulletList", item(paragraph("[x] a")))


def test_a_fence_keeps_its_language() -> None:
    """And the code to the letter."""
    assert only("```py title=x\n  a\n\n\tb\n```") == node(
        "codeBlock", text("  a\n\n\tb"), language="py"
    )
    assert only("```\n```") == {"type": "codeBlock", "content": []}


@pytest.mark.parametrize(
    ("alert", "panel"),
    [
        ("NOTE", "info"),
        ("TIP", "success"),
        ("important", "note"),
        ("WARNING", "warning"),
        ("CAUTION", "error"),
    ],
)
def test_an_alert_is_a_panel(alert: str, panel: str) -> None:
    """Whatever the case of its name."""
    assert only(f"> [!{alert}]\n> x") == node("panel", paragraph("x"), panelType=panel)


def test_a_table_is_one() -> None:
    """With its head, spans in cells, and empty cells."""
    assert only("| a | b |\n|---|---|\n| *c* | |") == node(
        "table",
        node("tableRow", node("tableHeader", paragraph("a")), node("tableHeader", paragraph("b"))),
        node(
            "tableRow",
            node("tableCell", paragraph(text("c", mark("em")))),
            node("tableCell", {"type": "paragraph", "content": []}),
        ),
    )


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("- # head", "head"),
        ("> # head", "head"),
        ("> > deep", "deep"),
        ("- > quoted", "quoted"),
        ("- > [!TIP]\n  > quoted", "Tip quoted"),
        ("> a\n>\n> ***\n>\n> b", "a ——— b"),
        ("- | a | b |\n  |---|---|\n  | c | d |", "a | b c | d"),
        ("> [!NOTE]\n> | a | b |\n> |---|---|\n> | c | d |", "a | b c | d"),
        ("> [!NOTE]\n> > x", "x"),
    ],
)
@pytest.mark.requirement("jira.markdown-out")
def test_what_the_schema_has_no_room_for_keeps_its_words(markdown: str, words: str) -> None:
    """A table in a list, a heading in a quotation."""
    content(markdown)
    assert words_of(markdown).replace("[!NOTE] ", "") == words


@pytest.mark.parametrize("deep", [">" * 5000, "- " * 3000, "*a **b " * 3000, "<sub>" * 3000])
def test_no_depth_of_markdown_is_too_deep(deep: str) -> None:
    """Nor are its words dropped."""
    assert words_of(f"{deep}bottom").endswith("bottom")


PIECES = st.sampled_from([
    "# ", "- ", "1. ", "7) ", "> ", "> [!NOTE]\n", "- [ ] ", "- [x] ", "```\n", "~~~py\n", "    ",
    "  ", "\n", "\n\n", "***\n", "| a | b |\n|---|---|\n| ", " | ", "*", "**", "_", "~~", "`", "``",
    "[", "](https://a.b/c)", "![", "](u 't')", "<sub>", "</sub>", "<br>", "<b>", "<!-- ", "\\",
    "&amp;", "https://x.y/z", "word", "two words", "é😀", "\t", "---\n", "===\n", "  \n", "\x00",
    "<div>\n",
])  # fmt: skip
MARKDOWN = st.lists(PIECES, max_size=30).map("".join)


@given(MARKDOWN)
@settings(max_examples=150)
@pytest.mark.requirement("jira.markdown-out")
def test_every_markdown_makes_a_valid_document(markdown: str) -> None:
    """By Atlassian's schema: Jira refuses all others with 400."""
    assert is_valid(markdown_to_adf(markdown), FULL)


@given(st.lists(st.tuples(PIECES, st.text("klmnop", min_size=6, max_size=6)), max_size=15))
@settings(max_examples=150)
@pytest.mark.requirement("jira.markdown-out")
def test_every_word_that_github_shows_of_a_markdown_is_in_the_document(
    parts: list[tuple[str, str]],
) -> None:
    """And comes back when the document is read."""
    markdown = "".join(f"{piece}{word}" for piece, word in parts)
    seen, back = shown(markdown), words_of(markdown)
    assert not [word for _, word in parts if word in seen and word not in back]

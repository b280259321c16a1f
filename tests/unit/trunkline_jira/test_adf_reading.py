"""How an Atlassian document looks as Markdown."""

import pytest

from tests.unit.trunkline_jira.adf_documents import (
    Json,
    cell,
    doc,
    item,
    mark,
    node,
    paragraph,
    table,
    text,
)
from tests.unit.trunkline_jira.shown import html_of, shown
from trunkline_jira.adf.conversion import to_document
from trunkline_shared.markdown.writer import to_markdown

STRONG, EM, CODE, STRIKE = mark("strong"), mark("em"), mark("code"), mark("strike")


def markdown(*blocks: Json) -> str:
    return to_markdown(to_document(doc(*blocks)).blocks)


def html(*blocks: Json) -> str:
    return html_of(markdown(*blocks))


@pytest.mark.parametrize("level", range(1, 7))
def test_a_heading_keeps_its_level(level: int) -> None:
    """From one to six."""
    assert markdown(node("heading", text("T"), level=level)) == f"{'#' * level} T"


@pytest.mark.parametrize(("level", "used"), [(0, 1), (9, 6), ("3", 3), (None, 1), ("x", 1)])
def test_a_heading_of_no_level_that_exists_is_one_nearby(level: object, used: int) -> None:
    """Numbers sent as text are numbers."""
    assert markdown(node("heading", text("T"), level=level)) == f"{'#' * used} T"


def test_neighbours_that_share_a_mark_share_its_span() -> None:
    """Each text node carries all of its marks; Markdown nests them."""
    assert markdown(
        paragraph(text("a", STRONG), text("b", EM, STRONG), text("c", STRONG), " d")
    ) == markdown(paragraph(text("a", STRONG), text("b", STRONG, EM), text("c", STRONG), " d"))
    assert html(paragraph(text("a ", STRONG), text("b", EM, STRONG))) == (
        "<p><strong>a <em>b</em></strong></p>\n"
    )


def test_a_link_holds_what_is_marked_within_it() -> None:
    """One link, though its text is three nodes."""
    link = mark("link", href="https://a.b/c")
    shown_as = html(paragraph(text("see ", link), text("this", link, STRONG), text("!", link)))
    assert shown_as == '<p><a href="https://a.b/c">see <strong>this</strong>!</a></p>\n'


def test_code_within_a_link_or_bold_is_code() -> None:
    """The span of code is the innermost."""
    link = mark("link", href="https://a.b/c")
    assert html(paragraph(text("f()", CODE, link))) == (
        '<p><a href="https://a.b/c"><code>f()</code></a></p>\n'
    )
    assert html(paragraph(text("a*b", STRONG, CODE))) == (
        "<p><strong><code>a*b</code></strong></p>\n"
    )


def test_a_mark_that_nobody_knows_leaves_its_text() -> None:
    """And is named."""
    converted = to_document(doc(paragraph(text("kept", mark("sparkle", speed=3)))))
    assert to_markdown(converted.blocks) == "kept"
    assert converted.lossy == ("sparkle",)


def test_metacharacters_in_text_stay_text() -> None:
    """Whatever Markdown would make of them."""
    words = "# no *stars* [x](y) <b> `c` | - 1. ~~s~~ &amp; https://a.b"
    assert shown(markdown(paragraph(words))) == words


def test_a_line_feed_in_text_is_a_line_break() -> None:
    """Jira shows it as one."""
    assert html(paragraph("a\nb")) == "<p>a<br />\nb</p>\n"


def test_a_hard_break_is_one_also_in_a_heading() -> None:
    """Where Markdown has no room for a new line."""
    words = html(node("heading", text("a"), node("hardBreak"), text("b"), level=2))
    assert words in {"<h2>a<br>b</h2>\n", "<h2>a b</h2>\n", "<h2>a<br />b</h2>\n"}


def test_an_empty_paragraph_leaves_nothing() -> None:
    """People space text with them."""
    assert markdown(paragraph("a"), node("paragraph"), node("paragraph"), paragraph("b")) == (
        "a\n\nb"
    )


def test_lists_nest_and_keep_their_numbers() -> None:
    """`attrs.order` is the first number."""
    inner = node("orderedList", item(paragraph("x")), item(paragraph("y")), order=7)
    assert markdown(node("bulletList", item(paragraph("a"), inner), item(paragraph("b")))) == (
        "- a\n\n  7. x\n  8. y\n\n- b"
    )


@pytest.mark.parametrize(("order", "first"), [(0, 0), (-3, 0), ("4", 4), (10**30, 999_999_999)])
def test_a_list_starts_at_a_number_that_markdown_takes(order: object, first: int) -> None:
    """Nine digits at most."""
    assert markdown(node("orderedList", item(paragraph("a")), order=order)) == f"{first}. a"


def test_an_item_holds_several_blocks() -> None:
    """Text, code, text."""
    block = item(paragraph("run"), node("codeBlock", text("x = 1")), paragraph("done"))
    assert html(node("bulletList", block)) == (
        "<ul>\n<li>\n<p>run</p>\n<pre><code>x = 1\n</code></pre>\n<p>done</p>\n</li>\n</ul>\n"
    )


def test_tasks_have_boxes_and_the_tasks_below_them() -> None:
    """A nested list stands beside its task, not in it."""
    done = node("taskItem", text("a"), localId="1", state="DONE")
    open_ = node("taskItem", text("b"), localId="2", state="TODO")
    nested = node("taskList", open_, localId="3")
    assert markdown(node("taskList", done, nested, done, localId="4")) == (
        "- [x] a\n  - [ ] b\n- [x] a"
    )


def test_a_nested_list_of_tasks_without_a_task_before_it_is_kept() -> None:
    """The schema allows it."""
    task = node("taskItem", text("b"), localId="2", state="TODO")
    nested = node("taskList", task, localId="3")
    assert "[ ] b" in markdown(node("taskList", nested, localId="4"))


def test_a_task_of_several_blocks_keeps_them() -> None:
    """blockTaskItem."""
    block = node("blockTaskItem", paragraph("a"), paragraph("b"), localId="1", state="DONE")
    assert markdown(node("taskList", block, localId="2")) == "- [x] a\n\n  b"


def test_a_decision_says_that_it_is_one() -> None:
    """Jira shows an arrow."""
    block = node("decisionItem", text("ship"), localId="1", state="DECIDED")
    assert markdown(node("decisionList", block, localId="2")) == "- **Decision:** ship"


def test_code_is_kept_to_the_letter() -> None:
    """The fence is longer than any in the code."""
    code = "```\n  a\n\n\tb ```` c"
    assert markdown(node("codeBlock", text(code), language="text")) == f"`````text\n{code}\n`````"


@pytest.mark.parametrize(
    ("panel", "alert"),
    [
        ("info", "NOTE"),
        ("note", "IMPORTANT"),
        ("tip", "TIP"),
        ("success", "TIP"),
        ("warning", "WARNING"),
        ("error", "CAUTION"),
    ],
)
def test_a_panel_is_an_alert(panel: str, alert: str) -> None:
    """GitHub has five kinds, Jira six."""
    assert markdown(node("panel", paragraph("x"), panelType=panel)) == f"> [!{alert}]\n> x"


def test_a_panel_of_ones_own_is_a_quotation_with_its_icon() -> None:
    """And is named: its colour is lost."""
    converted = to_document(
        doc(node("panel", paragraph("x"), panelType="custom", panelIconText="🐸"))
    )
    assert to_markdown(converted.blocks) == "> 🐸 x"
    assert converted.lossy == ("panel",)


def test_an_expand_is_its_title_and_what_it_hides() -> None:
    """Nothing is folded for a model."""
    assert markdown(node("expand", paragraph("in"), title="T*")) == "**T\\***\n\nin"


def test_a_table_has_its_head_and_every_block_of_a_cell() -> None:
    """Blocks become lines of the cell, bars are escaped."""
    rows = table(
        [cell("Name", "tableHeader"), cell("What", "tableHeader")],
        [cell("a|b"), node("tableCell", paragraph("one"), paragraph("two"))],
    )
    assert markdown(rows) == "| Name | What |\n| --- | --- |\n| a\\|b | one<br>two |"


def test_a_column_of_headers_is_bold() -> None:
    """Markdown has headers in the first row only."""
    rows = table([cell("k", "tableHeader"), cell("v")])
    assert markdown(rows).splitlines()[-1] == "| **k** | v |"


def test_cells_over_several_columns_and_rows_keep_the_others_in_place() -> None:
    """Gaps are empty cells; the cells' types are named."""
    rows = table(
        [cell("a", "tableHeader", colspan=2, rowspan=2), cell("b", "tableHeader")],
        [cell("c")],
        [cell("d"), cell("e"), cell("f")],
    )
    converted = to_document(doc(rows))
    lines = [line.split("|") for line in to_markdown(converted.blocks).splitlines()]
    assert [[word.strip() for word in line[1:-1]] for line in lines] == [
        ["a", "", "b"],
        ["---"] * 3,
        ["", "", "c"],
        ["d", "e", "f"],
    ]
    assert converted.lossy == ("tableHeader",)


def test_a_mad_span_makes_no_mad_table() -> None:
    """A number in a document is no license to fill the memory."""
    assert len(markdown(table([cell("a", colspan=10**9, rowspan=10**9)], [cell("b")]))) < 2000


@pytest.mark.parametrize(
    ("attrs", "words"),
    [
        ({"id": "1", "text": "@Ann"}, "@Ann"),
        ({"id": "1", "text": "Ann"}, "@Ann"),
        ({"id": "5b10ac", "text": ""}, "@5b10ac"),
        ({"id": "5b10ac"}, "@5b10ac"),
    ],
)
def test_a_mention_is_a_name_with_one_at_sign(attrs: dict[str, object], words: str) -> None:
    """Its id, when the name is missing."""
    assert markdown(paragraph(node("mention", **attrs))) == words


@pytest.mark.parametrize(
    ("stamp", "words"),
    [
        ("1700000000000", "2023-11-14"),
        (1700000000000, "2023-11-14"),
        ("-86400000", "1969-12-31"),
        ("soon", "soon"),
        ("9" * 40, "9" * 40),
        ("nan", "nan"),
    ],
    ids=repr,
)
def test_a_date_is_its_day(stamp: object, words: str) -> None:
    """Milliseconds as text or number; what is no date is kept."""
    assert markdown(paragraph(node("date", timestamp=stamp))) == words


def test_an_emoji_is_its_sign_or_its_name() -> None:
    """Those that a site made itself have no sign."""
    assert markdown(paragraph(node("emoji", shortName=":tada:", text="🎉"))) == "🎉"
    assert markdown(paragraph(node("emoji", shortName=":our_logo:"))) == ":our_logo:"


def test_a_status_is_set_apart_from_the_words_around_it() -> None:
    """As code."""
    status = node("status", text="DONE", color="green")
    assert markdown(paragraph("now ", status)) == "now `DONE`"


def test_a_card_is_a_link_by_its_name() -> None:
    """`data` is JSON-LD; without an address its name is all there is."""
    data = {"@type": "Document", "name": "The plan", "url": "https://a.b/p"}
    assert markdown(paragraph(node("inlineCard", data=data))) == "[The plan](https://a.b/p)"
    assert markdown(node("blockCard", data={"name": "The plan"})) == "The plan"


def test_a_card_that_shows_a_search_says_that_it_lost_the_results() -> None:
    """A datasource is drawn by the browser."""
    source = {"id": "d", "parameters": {}, "views": [{"type": "table"}]}
    converted = to_document(doc(node("blockCard", url="https://a.b/?jql=x", datasource=source)))
    assert "https://a.b/?jql=x" in to_markdown(converted.blocks)
    assert converted.lossy == ("blockCard",)


def test_invisible_characters_are_gone() -> None:
    """From text, names, titles and addresses."""
    hidden = "a\u200bb\u202ec\U000e0041"
    link = mark("link", href=f"https://x.y/{hidden}")
    found = markdown(
        paragraph(text(hidden, link), node("mention", id="1", text=hidden)),
        node("expand", paragraph("x"), title=hidden),
        node("codeBlock", text(hidden), language=hidden),
    )
    assert not set(hidden) - set("abc") & set(found)

"""Documents as Markdown, case by case: what a model reads."""

import pytest

from tests.unit.trunkline_shared.markdown.rendered import rendered
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Break,
    Cell,
    Code,
    CodeBlock,
    Emphasis,
    Heading,
    Image,
    Inline,
    Item,
    Link,
    List,
    Paragraph,
    Quote,
    Rule,
    Strike,
    Strong,
    Table,
    Tagged,
    Text,
)
from trunkline_shared.markdown.writer import to_markdown


def line(*content: Inline | str) -> Paragraph:
    return Paragraph(tuple(Text(part) if isinstance(part, str) else part for part in content))


def bold(text: str) -> Strong:
    return Strong((Text(text),))


def items(*contents: Blocks, start: int | None = None) -> List:
    return List(tuple(Item(content) for content in contents), start)


def cells(*contents: Block) -> tuple[Cell, ...]:
    return tuple(Cell((content,)) for content in contents)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("It is 3 * 4 = 12 - done. (See snake_case_name!)", None),
        ("[Backend] fix AT&T's a < b, 5 <6 and C:\\temp", None),
        ("https://example.com/a_b?c=1&d=2#e and www.example.com", None),
        ("*bold* _it_ __init__", "\\*bold\\* \\_it\\_ \\_\\_init\\_\\_"),
        ("1. no list", "1\\. no list"),
        ("2) no list", "2\\) no list"),
        ("- no list", "\\- no list"),
        ("-5 degrees", None),
        ("# no heading", "\\# no heading"),
        ("#123 is a number", None),
        ("> no quote", "\\> no quote"),
        ("--- | ---", "\\--- | ---"),
        ("[x] no box", "\\[x] no box"),
        ("[!NOTE]", "\\[!NOTE]"),
        ("[a]: /url", "\\[a]: /url"),
        ("see [a](b)", "see [a\\](b)"),
        ("<script>x</script>", "\\<script>x\\</script>"),
        ("&copy; &unknown", "\\&copy; &unknown"),
        ("\\* and \\", "\\\\\\* and \\\\"),
        ("https://x.y/a*b, too", "<https://x.y/a*b>, too"),
        ("www.x.y/a*b", "www\\.x.y/a\\*b"),
        ("  two \n\t lines\0 ", "two lines"),
    ],
)
def test_text_is_escaped_only_where_it_would_be_syntax(text: str, markdown: str | None) -> None:
    """None: it stays as it is."""
    assert to_markdown((line(text),)) == (text if markdown is None else markdown)


@pytest.mark.parametrize(
    ("content", "markdown"),
    [
        (line("a", bold(" b "), "c"), "a **b** c"),
        (line(Emphasis((bold("a"), Text("b")))), "_**a**b_"),
        (line("in", bold("side"), "word"), "in**side**word"),
        (line("in", Emphasis((Text("side"),)), "word"), "in*side*word"),
        (line("これは", bold("「強」"), "です"), "これは<strong>「強」</strong>です"),
        (line(bold("a"), bold("b")), "**ab**"),
        (line(bold(""), "a", bold(" "), "b"), "a b"),
        (line(Strike((Text("a"),)), Tagged("sub", (Text("2"),))), "~~a~~<sub>2</sub>"),
        (line("a", Break(), "- b", Break()), "a\\\n\\- b"),
        (line(Code("a`b")), "``a`b``"),
        (line(Code("`"), " ", Code(" a ")), "`` ` `` `  a  `"),
        (line(Code("a\r\nb")), "`a b`"),
        (line("see!", Link("http://u", (Text("x]"),))), "see\\![x\\]](http://u)"),
        (line(Link("http://u", (Text("http://u"),))), "<http://u>"),
        (line(Link("mailto:a@b.c", (Text("a@b.c"),))), "<a@b.c>"),
        (line(Link("http://u", ())), "<http://u>"),
        (line(Link("/a b(c)", (Text("x"),))), "[x](/a%20b\\(c\\))"),
        (line(Link("http://u", (bold("a"), Text(" b")))), "[**a** b](http://u)"),
        (line(Image("http://u/i.png", "a]")), "![a\\]](http://u/i.png)"),
        (line(Image("data:image/png;base64,AAAA", "chart")), "chart"),
        (Heading(2, (Text("a"), Break(), Text("b #"))), "## a b \\#"),
        (Heading(9, (Text("a"),)), "###### a"),
        (CodeBlock("a\n```\n\tb\n", "py"), "````py\na\n```\n\tb\n````"),
        (CodeBlock("", "c++ extra`"), "```c++\n```"),
        (Quote((line("a"), Rule()), "WARNING"), "> [!WARNING]\n> a\n>\n> ---"),
        (items((line("a"), items((line("b"),)))), "- a\n  - b"),
        (items((line("a"),), (), (line("b"),), start=9), "9. a\n10.\n11. b"),
        (items((Rule(),)), "- ___"),
        (List((Item((line("a"),), checked=True), Item((), checked=False))), "- [x] a\n- [ ]"),
        (items((line("a"), CodeBlock("x")), (line("b"),)), "- a\n\n  ```\n  x\n  ```\n\n- b"),
        (items((line("a"), items(()))), "- a\n\n  -"),
        (items((items((items(()),)),)), "- * -"),
        (Table((cells(line("a|b")), cells(CodeBlock("x\ny"))), head=True), None),
    ],
)
def test_a_block_is_written_the_usual_way(content: Block, markdown: str | None) -> None:
    """The shortest form that every renderer reads."""
    table = "| a\\|b |\n| --- |\n| `x`<br>`y` |"
    assert to_markdown((content,)) == (table if markdown is None else markdown)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:a()",
        " JavaScript:a()",
        "java\nscript:a()",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc",
    ],
)
def test_an_address_that_runs_or_reads_something_is_text(url: str) -> None:
    """The words and the address stay; the link does not."""
    shown = to_markdown((line(Link(url, (Text("click"),))),))
    assert "](" not in shown
    assert shown == f"click ({' '.join(url.split())})"


def test_lists_side_by_side_stay_two() -> None:
    """Their markers differ."""
    document = (items((line("a"),)), items((line("b"),)), items((line("c"),), start=1))
    assert to_markdown(document) == "- a\n\n* b\n\n1. c"


def test_a_table_is_made_whole() -> None:
    """Spans and short rows get empty cells; without a head there is an empty one."""
    wide = Cell((line("a"),), columns=2)
    document = (Table(((wide,), cells(line("b"))), head=False),)
    assert to_markdown(document) == "|  |  |\n| --- | --- |\n| a |  |\n| b |  |"


def test_a_cell_keeps_lines_lists_and_tables() -> None:
    """All on one line."""
    inner = Table((cells(line("x"), line("y")),))
    content = (line("a"), items((line("b"), items((line("c"),), start=2))), inner)
    shown = to_markdown((Table(((Cell(content),),)),))
    assert shown.splitlines()[0] == "| a<br>- b<br>2. c<br>x<br>y |"


def test_code_with_backslashes_before_a_pipe_survives_a_cell() -> None:
    """Where backticks cannot hold it, HTML does."""
    shown = to_markdown((Table((cells(line(Code("a\\|b"))),)),))
    assert shown.splitlines()[0] == "| <code>a\\\\&#124;b</code> |"


def test_nesting_of_any_depth_keeps_its_text() -> None:
    """Beyond the deepest level structure goes, words stay, and no stack overflows."""
    block: Block = line("bottom")
    inline: Inline = Text("core")
    for _ in range(10_000):
        block = Quote((items((block,)),))
        inline = Strong((Emphasis((inline,)),))
    cell = Table(((Cell((block,)),),))
    shown = to_markdown((block, line(inline), cell))
    assert shown.count("bottom") == 2
    assert "**_core_**" in shown


def test_what_shows_nothing_leaves_no_trace() -> None:
    """Empty paragraphs, quotes, headings, tables."""
    document = (line(" "), Quote((line(),)), Heading(1, ()), Table(()), List(()), line(Break()))
    assert to_markdown(document) == ""


def test_a_task_is_a_box() -> None:
    """GitHub's parser takes it for one."""
    document = (List((Item((line("a"),), checked=True),)),)
    assert rendered(to_markdown(document)) == rendered("- [x] a")

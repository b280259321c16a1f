"""The wiki text of Jira Server and Data Center as Markdown, notation by notation."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_jira.wiki.conversion import to_document
from trunkline_shared.markdown.writer import to_markdown

pytestmark = pytest.mark.requirement("jira.wiki-text")


def markdown(text: str) -> str:
    return to_markdown(to_document(text).blocks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h1. A *b*", "# A **b**"),
        ("h6. A", "###### A"),
        (
            "*b* _i_ ??c?? -d- +n+ ^p^ ~q~",
            "**b** _i_ _c_ ~~d~~ <ins>n</ins> <sup>p</sup> <sub>q</sub>",
        ),
        ("H{~}2{~}O in{*}side{*}word", "H<sub>2</sub>O in**side**word"),
        ("snake_case, a-b-c, 2*3*4, 5 - 3 - 1", "snake_case, a-b-c, 2\\*3\\*4, 5 - 3 - 1"),
        ("{{mono *x*}}", "`mono *x*`"),
        ("*_both_* and *open", "**_both_** and \\*open"),
        ("one\ntwo\\\\three", "one\\\ntwo\\\nthree"),
        ("\\*a\\* \\{code} C:\\temp", "\\*a\\* {code} C:\\temp"),
        ("bq. said", "> said"),
        ("a\n----\nb", "a\n\n---\n\nb"),
        ("a -- b --- c --flag", "a -- b --- c --flag"),
        (':) (/) (x) {x} {"a": 1}', ':) (/) (x) {x} {"a": 1}'),
        ("[the *text*|http://u/a_b]", "[the **text**](http://u/a_b)"),
        ("[text|http://u|smart-link]", "[text](http://u)"),
        ("[http://u/x] [mailto:a@b.c]", "<http://u/x> <mailto:a@b.c>"),
        ("[www|www.example.com]", "[www](https://www.example.com)"),
        ("[x|javascript:a()]", "x (javascript:a())"),
        ("[~joe] [~accountid:5b1] [^a.txt] [list]", "@joe @5b1 [attachment: a.txt] [list]"),
        (
            "see https://x.y/a_b_c-d, *https://x.y/z*",
            "see https://x.y/a_b_c-d, **<https://x.y/z>**",
        ),
        (
            "!pic.png|thumbnail! !http://u/i.png|alt=x! wow! no!",
            "[attachment: pic.png] ![x](http://u/i.png) wow! no!",
        ),
        ("{color:red}red{color} {color:#fff}*w*{color}", "red **w**"),
        ("{anchor:here}there {toc} {foo:bar=1}x", "there {toc} {foo:bar=1}x"),
    ],
)
def test_each_notation_of_a_line_has_its_markdown(text: str, expected: str) -> None:
    """As the help page of Jira lists them."""
    assert markdown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* a\n** b\n* c", "- a\n  - b\n- c"),
        ("# a\n## b\n# c", "1. a\n   1. b\n2. c"),
        ("# a\n#* b\n#* c\n# d", "1. a\n   - b\n   - c\n2. d"),
        ("- a\n- b\n\n- c", "- a\n- b\n\n* c"),
        ("* a\nmore", "- a\\\n  more"),
        ("*** deep", "- * - deep"),
        ("* a\n# b", "- a\n\n1. b"),
        ("# a\n{code}\nx\n{code}\n# b", "1. a\n\n   ```\n   x\n   ```\n\n2. b"),
        ("||h||i||\n|a|b|", "| h | i |\n| --- | --- |\n| a | b |"),
        ("|a|b|", "|  |  |\n| --- | --- |\n| a | b |"),
        ("|a||b||", "|  |  |\n| --- | --- |\n| a | **b** |"),
        ("||h||\n|a\nb|\n|* c\n* d|\n|-|", "| h |\n| --- |\n| a<br>b |\n| - c<br>- d |\n| - |"),
        ("||h||\n|{{a|b}} [t|http://u] \\||", "| h |\n| --- |\n| `a\\|b` [t](http://u) \\| |"),
        ("||h||\n|{code}a|b{code}|", "| h |\n| --- |\n| `a\\|b` |"),
    ],
)
def test_lists_and_tables_keep_their_shape(text: str, expected: str) -> None:
    """Nested, mixed, with code and several lines in them."""
    assert markdown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{code}\na *b* {quote}\n{code}", "```\na *b* {quote}\n```"),
        ("{code:java}x{code}", "```java\nx\n```"),
        ("{code:title=A.java|borderStyle=solid}x{code}", "**A.java**\n\n```\nx\n```"),
        ("{code:language=sql|title=Q}x{code}", "**Q**\n\n```sql\nx\n```"),
        ("{noformat}\n h1. {code}\n{noformat}", "```\n h1. {code}\n```"),
        ("a {code}x{code} b", "a\n\n```\nx\n```\n\nb"),
        ("{quote}a\n\n* b{quote}c", "> a\n>\n> - b\n\nc"),
        ("{panel:title=T|bgColor=#fff}\na\n{panel}", "> **T**\n>\n> a"),
        ("{quote}a{panel}b{panel}{quote}", "> a\n>\n> > b"),
        ("{quote}a{panel}b{quote}", "> a{panel}b"),
        ("{warning}a{warning}", "> [!WARNING]\n> a"),
        ("{code} open", "{code} open"),
        ("{quote} open", "{quote} open"),
        ("{code:java} a {code:java} b", "{code:java} a {code:java} b"),
    ],
)
def test_macros_hold_blocks(text: str, expected: str) -> None:
    """Verbatim ones hold nothing else; what is never closed stays as its text."""
    assert markdown(text) == expected


def test_what_loses_its_form_is_listed() -> None:
    """Sorted, once each."""
    text = "{color:red}a{color}{color:blue}b{color} {panel}c{panel} [^f.txt] {toc}"
    assert to_document(text).lossy == ("attachment", "color", "panel", "toc")
    assert to_document("*a* {quote}b{quote} [c|http://u]").lossy == ()


def test_what_cannot_be_seen_is_gone() -> None:
    """No hidden text reaches a model."""
    assert markdown("a\u200bb \u202ec\0d") == "ab cd"


_WORD = re.compile(r"zq\d+z")
_PIECES = (
    *(
        "*",
        "_",
        "-",
        "+",
        "^",
        "~",
        "??",
        "{*}",
        "{{",
        "}}",
        "\\",
        "\\\\",
        "\n",
        "\n\n",
        " ",
        "|",
        "||",
    ),
    *(
        "{code}",
        "{code:java}",
        "{noformat}",
        "{quote}",
        "{panel:title=t}",
        "{panel}",
        "{color:red}",
    ),
    *("{color}", "{anchor:x}", "{toc}", "{x:y}", "{", "}", "[", "]", "[~", "[^", "|http://u]", "!"),
    *(
        "!a.png!",
        "\nh1. ",
        "\nbq. ",
        "\n* ",
        "\n## ",
        "\n*- ",
        "\n----\n",
        "\n|",
        "|\n",
        "http://u/",
    ),
    *("WORD", "WORD", "WORD", "WORD", "&amp;", "<b>", "`", "#", "> ", "\0", "1. "),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=40))
def test_no_word_is_lost_however_the_text_is_made(pieces: list[str]) -> None:
    """Whatever is nested, crossed or left open: each word comes out."""
    text = "".join(f"zq{at}z" if piece == "WORD" else piece for at, piece in enumerate(pieces))
    visible = re.sub(r"\{[a-z]+:[^{}\n]*\}|!a\.png", "", text)
    assert set(_WORD.findall(visible)) <= set(_WORD.findall(markdown(text)))


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "{code}",
            "{code:x}",
            "{quote}",
            "{panel:a}",
            "{{",
            "{{a",
            "[",
            "[a|",
            "!a",
            "!a|",
            "{color:",
        ),
        *(
            "*a ",
            "*a _b ",
            "|",
            "|a\n",
            "\n* a",
            "\n#",
            "\n*",
            "\\",
            "-",
            "http://.",
            "{panel:x}{quote}",
        ),
    ],
)
def test_hostile_text_ends_in_bounded_time(piece: str) -> None:
    """Ten thousand beginnings without an end; the test's own time limit is the bound."""
    assert isinstance(markdown(piece * 10_000), str)
    assert isinstance(markdown("*" * 10_000 + " a"), str)

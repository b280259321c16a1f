"""Agents' Markdown as wiki text: each form in Jira's notation, plain text kept plain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline_jira.writing.markdown_to_wiki import markdown_to_wiki
from trunkline_shared.markdown.document import Paragraph, Text
from trunkline_shared.markdown.writer import to_markdown


@pytest.mark.parametrize(
    ("markdown", "wiki"),
    [
        ("## T *a*", "h2. T _a_"),
        ("**b** *i* ~~s~~ `c`", "*b* _i_ -s- {{c}}"),
        ("<ins>u</ins> H<sub>2</sub>O x<sup>n</sup>", "+u+ H{~}2{~}O x{^}n{^}"),
        ("in**tra**word", "in{*}tra{*}word"),
        ("***both***", "_*both*_"),
        ("**a *b* c**", "*a _b_ c*"),
        ("a\nb", "a b"),
        ("a  \nb", "a\nb"),
        ("a\n\nb", "a\n\nb"),
        ("***", "----"),
        ("[t](https://a.b/c)", "[t|https://a.b/c]"),
        ("[t|x](https://a.b/c|d]e)", "[t&#124;x|https://a.b/c%7Cd%5De]"),
        ("see https://a.b/c_d_e now", "see [https://a.b/c_d_e] now"),
        ("![A cat](https://a.b/c.png)", "[A cat|https://a.b/c.png]"),
        ("![](https://a.b/c.png)", "[https://a.b/c.png]"),
        ("- a\n  - b\n    1. c\n- d", "* a\n** b\n**# c\n* d"),
        ("3. a\n4. b", "# a\n# b"),
        ("- [ ] a\n- [x] b", "* \\[ \\] a\n* \\[x\\] b"),
        ("- a\n\n  b\n\n  ```\n  c\n  ```", "* a\n\\\\ b\n{code}\nc\n{code}"),
        ("- # head", "* *head*"),
        ("- !\\\n  !", "* \\!\\\\ !"),
        ("- > a", "* {quote}\na\n{quote}"),
        (
            "> - | a | b |\n>   |---|---|\n>   | c | d |",
            "{quote}\n* a \\| b\n\\\\ c \\| d\n{quote}",
        ),
        ("> a\n>\n> b", "{quote}\na\n\nb\n{quote}"),
        ("> a\n> > b", "{quote}\na\n\nb\n{quote}"),
        ("> [!WARNING]\n> a", "{panel:title=Warning}\na\n{panel}"),
        ("```python\nx = {1}\n```", "{code:python}\nx = {1}\n{code}"),
        ("```yml\nx\n```", "{code:yaml}\nx\n{code}"),
        ("```brainfuck\n+\n```", "{code}\n+\n{code}"),
        ("```\n{code}\n```", "{noformat}\n{code}\n{noformat}"),
        ("```\n{code}{noformat}\n```", "{{&#123;code&#125;&#123;noformat&#125;}}"),
        ("| a | b |\n|---|---|\n| x<br>y | |", "||a||b||\n|x\\\\ y| |"),
        ("<div>*x*</div>", "<div>\\*x\\*</div>"),
    ],
    ids=repr,
)
@pytest.mark.requirement("jira.markdown-out")
def test_each_form_has_a_home(markdown: str, wiki: str) -> None:
    """In Jira's own notation."""
    assert markdown_to_wiki(markdown) == wiki


@pytest.mark.parametrize(
    ("text", "wiki"),
    [
        ("h1. no heading", "h1&#46; no heading"),
        ("bq. no quote", "bq&#46; no quote"),
        ("# no number", r"\# no number"),
        ("* no dot", r"\* no dot"),
        ("- no dash", r"\- no dash"),
        ("---- no rule", r"\-\-\-\- no rule"),
        ("|no cell|", r"\|no cell\|"),
        ("*no* _no_ -no- +no+ ^no^ ~no~", r"\*no\* \_no\_ \-no\- \+no\+ \^no\^ \~no\~"),
        ("{code} {{no}} {color:red}", r"\{code\} \{\{no\}\} \{color:red\}"),
        ("[no|link] [~nobody] [^file]", r"\[no\|link\] \[\~nobody\] \[\^file\]"),
        ("!no.png! but yes!", r"\!no.png! but yes!"),
        ("??no??", r"\?\?no\?\?"),
        (":) ;) :D (y) (/) (!) (*r)", r":\) ;\) &#58;D \(y) \(/) \(\!) \(\*r)"),
        (r"C:\dir\new \\host", r"C:&#92;dir&#92;new &#92;&#92;host"),
        ("&lt; &#123; & more", "&amp;lt; &amp;#123; & more"),
        ("snake_case well-known 1-2 a + b - c", "snake_case well-known 1-2 a + b - c"),
        ("why? e-mail@a.b #12 50% (yes)", "why? e-mail@a.b #12 50% (yes)"),
    ],
    ids=repr,
)
@pytest.mark.requirement("jira.markdown-out")
def test_plain_text_stays_plain(text: str, wiki: str) -> None:
    """Only what Jira would take for a sign is escaped."""
    assert markdown_to_wiki(to_markdown((Paragraph((Text(text),)),))) == wiki


def test_a_link_never_becomes_a_mention_or_a_file() -> None:
    """`[x|~name]` would call somebody."""
    assert markdown_to_wiki("[x](~admin) [y](^file)") == "[x|%7Eadmin] [y|%5Efile]"


@pytest.mark.parametrize("deep", [">" * 5000, "- " * 3000, "*a **b " * 3000, "<sub>" * 3000])
def test_no_depth_of_markdown_is_too_deep(deep: str) -> None:
    """Nor are its words dropped."""
    assert markdown_to_wiki(f"{deep}bottom").rstrip("*_~{}").endswith("bottom")


@given(st.text("ab1 \n\t*_`[]()<>|#-+.!~&\\:{}^?@=é😀", max_size=60))
@settings(max_examples=300)
def test_no_markdown_makes_writing_fail(markdown: str) -> None:
    """Whatever it is."""
    assert isinstance(markdown_to_wiki(markdown), str)

"""Markdown that is posted as wiki text and read again: Jira shows the same words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_jira.adf_documents import Json, doc
from tests.unit.trunkline_jira.shown import shown
from tests.unit.trunkline_jira.test_adf_properties import CODE, HEADING, LIST, PARAGRAPH
from trunkline_jira.adf.conversion import to_document
from trunkline_jira.wiki.conversion import to_document as from_wiki
from trunkline_jira.writing.markdown_to_wiki import markdown_to_wiki
from trunkline_shared.markdown.document import Paragraph, Text
from trunkline_shared.markdown.writer import to_markdown

SIGNS = "abh1.*_`[]()<>|#-+!~&\\:;=\"'/@^{}? \n😀é"


def read_back(markdown: str) -> str:
    """The words that are there when wiki text is read again; white space set aside."""
    return "".join(shown(to_markdown(from_wiki(markdown_to_wiki(markdown)).blocks)).split())


@given(st.text(SIGNS, min_size=1, max_size=16))
@settings(max_examples=150)
@pytest.mark.requirement("jira.markdown-out")
def test_plain_text_comes_back_plain(text: str) -> None:
    """No sign in it makes a form."""
    markdown = to_markdown((Paragraph((Text(text),)),))
    assert read_back(markdown) == "".join(shown(markdown).split())


@given(st.lists(PARAGRAPH | HEADING | CODE | LIST, max_size=2).map(lambda all_: doc(*all_)))
@settings(max_examples=40)
def test_text_with_forms_comes_back_with_all_of_its_words(document: Json) -> None:
    """Spans, links, code and lists, full of signs."""
    markdown = to_markdown(to_document(document).blocks)
    assert read_back(markdown) == "".join(shown(markdown).split())


def test_a_sign_before_a_line_break_opens_nothing_behind_it() -> None:
    """In an item a break is two backslashes, with which the name of a picture could begin."""
    assert read_back("- !\\\n  !") == "!!"

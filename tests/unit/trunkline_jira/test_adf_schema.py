"""Every type of node and mark that Atlassian's schema has is read on purpose, its words kept."""

import pytest

from tests.unit.trunkline_jira.adf_documents import MARKS, NODES, doc
from tests.unit.trunkline_jira.adf_schema import is_valid, types
from tests.unit.trunkline_jira.shown import html_of, shown
from trunkline_jira.adf.blocks import BLOCKS
from trunkline_jira.adf.conversion import to_document
from trunkline_jira.adf.inlines import INLINES
from trunkline_jira.adf.marks import SEEN, STYLES, UNSEEN
from trunkline_shared.markdown.writer import to_markdown

LOSSY_NODES = {
    "bodiedExtension", "bodiedRule", "bodiedSyncBlock", "embedCard", "expand", "extension",
    "extensionFrame", "inlineExtension", "layoutColumn", "layoutSection", "media", "mediaGroup",
    "mediaInline", "caption", "multiBodiedExtension", "nestedExpand", "syncBlock", "tableCell",
}  # fmt: skip
LOOKS = {
    "strong": "<strong>marked</strong>",
    "em": "<em>marked</em>",
    "code": "<code>marked</code>",
    "strike": "<del>marked</del>",
    "underline": "<ins>marked</ins>",
    "link": '<a href="https://a.b/">marked</a>',
    "subsup": "<sub>marked</sub>",
}


@pytest.mark.requirement("jira.adf")
def test_no_type_of_the_schema_is_left_to_chance() -> None:
    """Nodes and marks, of the stable schema and of the one that is still tried out."""
    assert types("_node") - INLINES.keys() - BLOCKS.keys() == set()
    assert types("_mark") - STYLES.keys() - SEEN - UNSEEN == set()


def test_there_is_a_document_for_each_type() -> None:
    """So the tests below speak for all."""
    assert NODES.keys() == types("_node")
    assert MARKS.keys() == types("_mark")


@pytest.mark.parametrize("kind", sorted(NODES))
@pytest.mark.requirement("jira.adf")
def test_each_node_keeps_what_a_person_reads_in_it(kind: str) -> None:
    """In reading order, as GitHub's parser shows the Markdown."""
    block, words = NODES[kind]
    assert is_valid(doc(block))
    text = shown(to_markdown(to_document(doc(block)).blocks))
    at = 0
    for word in words:
        at = text.index(word, at) + len(word)


@pytest.mark.parametrize("kind", sorted(NODES))
@pytest.mark.requirement("jira.adf-lossy")
def test_a_node_that_loses_some_of_its_form_is_named(kind: str) -> None:
    """Pictures, macros, columns; never what Markdown has a form for."""
    lossy = to_document(doc(NODES[kind][0])).lossy
    assert bool(lossy) == (kind in LOSSY_NODES)


@pytest.mark.parametrize("kind", sorted(MARKS))
@pytest.mark.requirement("jira.adf", "jira.adf-lossy")
def test_each_mark_keeps_its_text_and_says_when_its_look_is_lost(kind: str) -> None:
    """What Markdown or GitHub's HTML can show is shown; what people see and we cannot is named."""
    assert is_valid(doc(MARKS[kind]))
    converted = to_document(doc(MARKS[kind]))
    html = html_of(to_markdown(converted.blocks))
    assert LOOKS.get(kind, "marked") in html
    assert (kind in converted.lossy) == (kind in SEEN)

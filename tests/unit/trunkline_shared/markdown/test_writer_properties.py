"""Whatever a document holds, GitHub's own parser reads it back from our Markdown."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_shared.markdown.of_tree import of_tree
from tests.unit.trunkline_shared.markdown.rendered import rendered, rendered_elsewhere
from tests.unit.trunkline_shared.markdown.shapes import Lines
from tests.unit.trunkline_shared.markdown.trees import documents, paragraphs, texts
from trunkline_shared.markdown.document import Blocks, Item, List, Paragraph, Text
from trunkline_shared.markdown.writer import to_markdown


@given(st.lists(texts, min_size=1, max_size=3))
def test_a_text_comes_back_whatever_it_holds(lines: list[str]) -> None:
    """Nothing in it is read as Markdown."""
    document = tuple(Paragraph((Text(line),)) for line in lines)
    assert rendered(to_markdown(document)) == of_tree(document)


@given(paragraphs)
def test_a_paragraph_comes_back_with_its_marks_links_and_code(paragraph: Paragraph) -> None:
    """Each character, under the same marks."""
    assert rendered(to_markdown((paragraph,))) == of_tree((paragraph,))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(documents)
def test_a_document_comes_back_block_by_block(document: Blocks) -> None:
    """Kinds, nesting, numbers, boxes, languages, the shape of tables."""
    assert rendered(to_markdown(document)) == of_tree(document)


@given(texts)
def test_another_renderer_shows_the_same_text(text: str) -> None:
    """What is written leans on no quirk of one parser."""
    shown = rendered_elsewhere(to_markdown((Paragraph((Text(text),)),)))
    assert shown == "".join(re.sub(r"[\x00-\x1f\x7f]", "", text).split())


@given(st.lists(texts, max_size=3))
def test_no_text_becomes_a_box_or_another_item(lines: list[str]) -> None:
    """A list of texts is as many items as there are texts."""
    document = (List(tuple(Item((Paragraph((Text(line),)),)) for line in lines)),)
    assert rendered(to_markdown(document)) == of_tree(document)


@given(texts)
def test_written_again_it_is_the_same(text: str) -> None:
    """What GitHub shows of our Markdown is written as that Markdown."""
    once = to_markdown((Paragraph((Text(text),)),))
    shown = " ".join(lines.text for lines in rendered(once) if isinstance(lines, Lines))
    assert to_markdown((Paragraph((Text(shown),)),)).split() == once.split()

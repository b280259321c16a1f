"""Whatever a document holds, GitHub's own parser reads it back from our Markdown."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_shared.markdown.of_tree import of_tree
from tests.unit.trunkline_shared.markdown.rendered import rendered
from tests.unit.trunkline_shared.markdown.trees import documents, paragraphs, texts
from trunkline_shared.markdown.document import Blocks, Paragraph, Text
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

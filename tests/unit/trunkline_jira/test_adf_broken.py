"""Documents that break the rules of their format: read as far as there are words, never refused."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_jira.adf_documents import Json, doc, node, paragraph, text
from tests.unit.trunkline_jira.shown import shown
from trunkline_jira.adf.blocks import BLOCKS
from trunkline_jira.adf.conversion import Converted, to_document
from trunkline_jira.adf.inlines import INLINES
from trunkline_shared.markdown.document import Blocks
from trunkline_shared.markdown.writer import to_markdown

KINDS = [*BLOCKS, *INLINES, "", "galaxy", "blink"]
WORDS = st.text("abcdefgh", min_size=6, max_size=8)


def words_of(adf: object) -> str:
    return shown(to_markdown(to_document(adf).blocks))


@pytest.mark.parametrize("adf", [None, "", {}, [], 0.0 * math.inf, {"type": "doc"}, True, [None]])
@pytest.mark.requirement("jira.adf-unknown")
def test_what_is_no_document_is_an_empty_one(adf: object) -> None:
    """An issue without a description has null."""
    converted = to_document(adf)
    assert to_markdown(converted.blocks) in {"", "nan"}


def test_a_text_in_place_of_a_document_is_that_text() -> None:
    """Paragraphs and lines as they were."""
    assert to_markdown(to_document("a *b*\nc\n\n \nd").blocks) == "a \\*b\\*\\\nc\n\nd"


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ({"type": "paragraph", "content": "bare"}, "bare"),
        ({"type": "paragraph", "content": text("alone")}, "alone"),
        ({"type": "paragraph", "content": [None, "a", 7, ["b"]]}, "a7b"),
        ({"type": "paragraph", "text": "own", "content": [text("!")]}, "own!"),
        ({"type": "paragraph", "attrs": None, "marks": None, "content": [text("x")]}, "x"),
        ({"type": "text", "text": 42}, "42"),
        ({"type": "text", "text": ["a", "b"]}, "ab"),
        ({"type": "text", "text": "m", "marks": ["strong", None, 5, {"type": {}}]}, "m"),
        ({"type": "text", "text": "m", "marks": {"type": "em"}}, "m"),
        ({"type": "text", "text": "l", "marks": [{"type": "link", "attrs": None}]}, "l"),
        ({"content": [{"content": [text("nameless")]}]}, "nameless"),
        ({"type": 5, "content": [text("x")]}, "x"),
        ({"type": "mention", "attrs": {"id": 9}, "content": [text("more")]}, "@9more"),
        ({"type": "rule", "content": [paragraph("on it")]}, "on it"),
        ({"type": "bulletList", "content": [paragraph("no item")]}, "no item"),
        ({"type": "listItem", "content": [paragraph("no list")]}, "no list"),
        ({"type": "taskItem", "content": [paragraph("block")]}, "block"),
        ({"type": "tableCell", "content": [paragraph("no table")]}, "no table"),
        ({"type": "table", "content": [paragraph("no row")]}, "no row"),
        ({"type": "table", "content": [node("tableRow", paragraph("no cell"))]}, "no cell"),
        ({"type": "mediaGroup", "content": [paragraph("no file")]}, "no file"),
        ({"type": "codeBlock", "content": [paragraph("a"), paragraph("b")]}, "a b"),
        ({"type": "heading", "content": [text("H"), node("bulletList")]}, "H"),
        ({"type": "galaxy", "attrs": {"text": "star"}}, "star"),
        ({"type": "unsupportedBlock", "attrs": {"originalValue": paragraph("new")}}, "new"),
        ({"type": "unsupportedInline", "attrs": {"originalValue": text("new")}}, "new"),
        ({"type": "doc", "content": [doc(paragraph("twice"))]}, "twice"),
    ],
    ids=str,
)
@pytest.mark.requirement("jira.adf-unknown")
def test_words_are_found_wherever_they_are(broken: Json, words: str) -> None:
    """Missing lists, wrong types, strangers, nodes where none belongs."""
    assert words_of(doc(broken)) == words


@pytest.mark.requirement("jira.adf-unknown", "jira.adf-lossy")
def test_an_unknown_node_is_its_children_and_is_named() -> None:
    """In a line it stays in the line; among blocks each is a block."""
    star = node("star", text("in"))
    converted = to_document(doc(paragraph("a ", star, " b"), star, star))
    assert to_markdown(converted.blocks) == "a in b\n\nin\n\nin"
    assert converted.lossy == ("star",)


def test_names_of_strangers_are_few_and_short() -> None:
    """A hostile document does not fill the result with them."""
    lossy = to_document(doc(*(node("x" * 1000 + str(n)) for n in range(500)))).lossy
    assert len(lossy) == 1
    lossy = to_document(doc(*(node(f"x{n}") for n in range(500)))).lossy
    assert len(lossy) < 100


def test_a_block_in_a_line_of_text_ends_the_line() -> None:
    """Its form is kept, and so are the words around it."""
    code = node("codeBlock", text("x"))
    assert (
        to_markdown(to_document(doc(paragraph("a", code, "b"))).blocks) == "a\n\n```\nx\n```\n\nb"
    )


def nested(kinds: list[str], depth: int) -> object:
    inner: object = text("bottom")
    for level in range(depth):
        kind = kinds[level % len(kinds)]
        attrs = {"title": f"t{level}", "originalValue": None}
        inner = {"type": kind, "attrs": attrs, "content": [f"w{level}", inner]}
    return inner


@pytest.mark.parametrize("kinds", [KINDS, ["bulletList", "listItem", "panel"], ["table"]], ids=len)
@pytest.mark.requirement("jira.adf-unknown")
def test_no_depth_overflows_the_stack_and_no_word_is_lost(kinds: list[str]) -> None:
    """Ten thousand levels; below fifty the form goes, the words stay."""
    words = words_of(nested(kinds, 10_000))
    assert not [word for word in ("bottom", *(f"w{n}" for n in range(10_000))) if word not in words]


@pytest.mark.parametrize("kind", KINDS)
def test_no_type_goes_deeper_than_the_stack(kind: str) -> None:
    """Each within itself, deeper than Python's stack."""
    words = words_of(nested([kind], 1_200))
    assert not [word for word in ("bottom", *(f"w{n}" for n in range(1_200))) if word not in words]


def test_wrapped_strangers_of_any_depth_are_unwrapped() -> None:
    """An editor that knows nothing wraps what another wrapped."""
    inner: object = text("core")
    for _ in range(10_000):
        inner = {"type": "unsupportedInline", "attrs": {"originalValue": inner}}
    assert words_of(doc(paragraph({"type": "x", "content": [inner]}))) == "core"


ANYTHING: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "content", "attrs", "marks", "text", "title", "url", "x"]),
            inner | st.sampled_from(KINDS),
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(ANYTHING)
@settings(max_examples=150)
def test_nothing_that_was_sent_makes_reading_fail(sent: object) -> None:
    """Neither the tree nor the Markdown of it."""
    converted = to_document(sent)
    assert isinstance(converted, Converted)
    assert isinstance(to_markdown(converted.blocks), str)


def words_in(sent: object) -> Iterator[str]:
    """The words of the text nodes of a document, in order."""
    if isinstance(sent, dict):
        if sent.get("type") == "text":
            yield str(sent["text"])
        for child in sent.get("content", []):
            yield from words_in(child)


def anywhere() -> st.SearchStrategy[Json]:
    leaf = st.builds(text, WORDS)
    return st.recursive(
        leaf,
        lambda inner: st.builds(
            lambda kind, content: node(kind, *content),
            st.sampled_from([kind for kind in KINDS if kind != "text"]),
            st.lists(inner, max_size=4),
        ),
        max_leaves=20,
    )


@given(st.lists(anywhere(), max_size=4))
@settings(max_examples=150)
@pytest.mark.requirement("jira.adf-unknown")
def test_every_word_is_shown_in_its_order_wherever_it_stands(content: list[Json]) -> None:
    """Any type within any other, most of them against the schema."""
    blocks: Blocks = to_document(doc(*content)).blocks
    seen = shown(to_markdown(blocks))
    at = 0
    for word in words_in(doc(*content)):
        assert word in seen[at:]
        at = seen.index(word, at) + len(word)

"""Valid documents full of hostile text: GitHub's parser shows the words that Jira shows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.trunkline_jira.adf_documents import Json, doc, item, mark, node, paragraph, text
from tests.unit.trunkline_jira.adf_schema import is_valid
from tests.unit.trunkline_jira.shown import shown
from trunkline_jira.adf.conversion import to_document
from trunkline_jira.writing.markdown_to_adf import markdown_to_adf
from trunkline_shared.markdown.writer import to_markdown
from trunkline_shared.untrusted import sanitize

HOSTILE = st.text("ab1*_`[]()<>|#-+.!~&\\:=\"'/@^ \n\t\u200b😀é", min_size=1, max_size=12)
MARKS: st.SearchStrategy[list[Json]] = st.lists(
    st.sampled_from(["strong", "em", "strike", "underline"]).map(mark), max_size=3, unique_by=str
) | st.just([mark("code")])
# An invisible link is shown by its address: a person could not see it in Jira.
TEXT = st.builds(lambda words, marks: text(words, *marks), HOSTILE, MARKS) | st.builds(
    lambda words: text(f"{words}.", mark("link", href="https://a.b/c(d)_e")), HOSTILE
)
LINE = st.lists(TEXT, min_size=1, max_size=4)
PARAGRAPH = LINE.map(lambda content: paragraph(*content))
HEADING = st.builds(
    lambda content, level: node("heading", *content, level=level), LINE, st.integers(1, 6)
)
CODE = HOSTILE.map(lambda words: node("codeBlock", text(words)))


def lists(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    items = st.lists(
        st.lists(inner, min_size=1, max_size=3).map(lambda all_: item(*all_)),
        min_size=1,
        max_size=3,
    )
    return st.builds(
        lambda kind, all_: node(kind, *all_), st.sampled_from(["bulletList", "orderedList"]), items
    )


LIST = lists(PARAGRAPH | CODE | lists(PARAGRAPH | CODE))
QUOTE = st.lists(PARAGRAPH | LIST | CODE, min_size=1, max_size=3).map(
    lambda inner: node("blockquote", *inner)
)
PANEL = st.lists(PARAGRAPH | LIST | CODE | HEADING, min_size=1, max_size=3).map(
    lambda inner: node("panel", *inner, panelType="error")
)
CELL = st.builds(
    lambda kind, inner: node(kind, *inner),
    st.sampled_from(["tableCell", "tableHeader"]),
    # The numbers of a list in a cell are text there: Markdown has no lists in cells.
    st.lists(PARAGRAPH | CODE | HEADING, min_size=1, max_size=2),
)
TABLE = st.lists(st.lists(CELL, min_size=1, max_size=3), min_size=1, max_size=3).map(
    lambda rows: node("table", *(node("tableRow", *row) for row in rows))
)
DOCUMENT = st.lists(PARAGRAPH | HEADING | CODE | LIST | QUOTE | PANEL | TABLE, max_size=4).map(
    lambda blocks: doc(*blocks)
)


def words_of(sent: object) -> list[str]:
    """What each block of text shows, in order; white space counts once."""
    found: list[str] = []
    assert isinstance(sent, dict)
    content = sent.get("content", [])
    if sent["type"] in {"paragraph", "heading", "codeBlock"}:
        line = "".join(sanitize(one.get("text", "\n")) for one in content)
        return [" ".join(line.split())]
    for child in content:
        found += words_of(child)
    return found


@given(DOCUMENT)
@settings(max_examples=60)
def test_the_words_of_a_document_are_the_words_of_its_markdown(document: Json) -> None:
    """All of them, in order, and none besides: escapes are not seen."""
    markdown = to_markdown(to_document(document).blocks)
    seen = shown(markdown).replace("[!CAUTION]", "")
    assert "".join(seen.split()) == "".join("".join(words_of(document)).split())


@given(DOCUMENT)
@settings(max_examples=60)
def test_the_words_survive_the_way_to_markdown_and_back(document: Json) -> None:
    """What an agent reads and posts again says the same."""
    back = markdown_to_adf(to_markdown(to_document(document).blocks))
    assert "".join("".join(words_of(back)).split()) == "".join("".join(words_of(document)).split())


@given(DOCUMENT)
@settings(max_examples=20)
def test_the_documents_of_these_tests_are_documents(document: Json) -> None:
    """By Atlassian's schema."""
    assert is_valid(document)

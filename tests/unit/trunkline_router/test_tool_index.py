"""The text index: words inside names, the best first, and no query that breaks it."""

from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.catalogue.listing import read_listing
from trunkline_router.catalogue.tool_index import ToolIndex, words_of
from trunkline_router.model import Json


def index(*tools: tuple[str, str]) -> ToolIndex:
    page: Json = {"tools": [{"name": name, "description": text} for name, text in tools]}
    read = read_listing("a", {}, {"tools": [page]}, 0.0)
    return ToolIndex.of({tool.name: tool for tool in read.tools})


def test_names_are_split_into_words() -> None:
    """Snake case, camel case, abbreviations and digits."""
    assert list(words_of("get_ci_status")) == ["get", "ci", "status"]
    assert list(words_of("getCIStatus2")) == ["get", "CI", "Status", "2"]
    assert list(words_of("list-PRs/größe")) != []


def test_a_name_counts_for_more_than_a_description() -> None:
    """And several words for more than one."""
    known = index(
        ("list_comments", "List what people said."),
        ("delete_thing", "Delete comments, or anything else."),
        ("list_pages", "List the pages."),
    )
    assert known.best("list comments", 3)[0] == "list_comments"
    assert known.best("comment", 1) == ["list_comments"]
    assert set(known.best("list", 5)) == {"list_comments", "list_pages"}
    assert known.best("unheard of", 5) == []


@given(st.text(max_size=60), st.lists(st.tuples(st.text(min_size=1), st.text()), max_size=4))
def test_no_text_breaks_it(query: str, tools: list[tuple[str, str]]) -> None:
    """Whatever names, descriptions and queries hold."""
    tidy = [
        (n.encode(errors="ignore").decode(), t.encode(errors="ignore").decode()) for n, t in tools
    ]
    known = index(*tidy)
    assert set(known.best(query, 3)) <= {name for name, _ in tidy}

"""Lists and introductions that were written out once: the same as those that were not."""

from dataclasses import dataclass, field, replace

import orjson
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.catalogue.directory import Directory, Listing
from trunkline_router.catalogue.lists import introduction, list_result
from trunkline_router.catalogue.paging import ONE_PAGE
from trunkline_router.model import Era, Json, Request, Unheard
from trunkline_router.wire.answer import success

texts = st.text(st.characters(codec="utf-8"), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
lists = st.lists(st.dictionaries(texts, values, max_size=3), max_size=4).map(tuple)
ASKED = Request(
    id=1, method="tools/list", params={}, era=Era.MODERN, channel=Unheard(), received=0.0
)


@dataclass
class Standing:
    """How often each server has failed; those that have are shut."""

    failed: dict[str, int] = field(default_factory=dict)

    def admits(self, server: str) -> bool:
        return server not in self.failed

    def failures(self, server: str) -> int:
        return self.failed.get(server, 0)


@given(lists, st.dictionaries(texts, values, max_size=3))
def test_a_list_is_written_as_its_entries_are(entries: tuple[Json, ...], others: Json) -> None:
    """Each time, whatever stands beside it, and anew for a directory with other entries."""
    first = Directory(items={"tools": entries})
    for directory in (first, first, replace(first, items={"tools": (*entries, {"name": "more"})})):
        answer = success(1, others | list_result(ASKED, directory, ONE_PAGE)).to_bytes()
        expected = {**others, "tools": directory.items["tools"]}
        assert answer == success(1, expected).to_bytes()


def test_a_list_that_is_nested_too_deeply_is_refused_as_any_answer_is() -> None:
    """Its client hears of it."""
    deep: Json = {}
    for _ in range(300):
        deep = {"a": deep}
    answer = success(1, list_result(ASKED, Directory(items={"tools": (deep,)}), ONE_PAGE))
    assert "nested too deeply" in orjson.loads(answer.to_bytes())["error"]["message"]


def test_an_introduction_says_how_servers_stand_at_this_moment() -> None:
    """What a client was told before is told again only while it is true; nobody changes it."""
    directory = Directory(listings=(Listing(server="a", instructions="Does it."),))
    health = Standing()
    told = introduction(directory, None, health, listens=True)
    told["supportedVersions"] = ["x"]
    health.failed["a"] = 3
    shut = introduction(directory, None, health, listens=True)
    assert shut["instructions"] != told["instructions"]
    health.failed["a"] = 4
    assert introduction(directory, None, health, listens=True) != shut
    health.failed.clear()
    again = introduction(directory, None, health, listens=True)
    assert again["instructions"] == told["instructions"]
    assert "supportedVersions" not in again
    alone = introduction(directory, "a", health, listens=False)
    assert alone["instructions"] == "Does it."
    assert alone["capabilities"] == {"tools": {"listChanged": False}}

"""Searching all that the token's person may see."""

from collections.abc import AsyncIterator

import orjson
import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from trunkline_shared.testing.basecamp.files import add_document
from trunkline_shared.testing.basecamp.todos import add_todo, add_todolist
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


async def test_what_is_found_is_told_with_its_place_and_the_words_around(here: Reading) -> None:
    """In plain text: Basecamp marks the words with tags."""
    message = here.post("Kickoff", "<div>Widgets &amp; gadgets <strong>wobble</strong></div>")
    answer = await here.call("search", q="gadgets")
    board = here.project.tool("message_board")
    assert answer["items"] == [
        {
            "id": message.id,
            "type": "Message",
            "title": "Kickoff",
            "excerpt": "Widgets & gadgets wobble",
            "url": (
                f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
                f"/messages/{message.id}"
            ),
            "project": {"id": here.project.id, "name": "Widgets launch"},
            "parent": {"id": board.id, "name": "Message Board"},
            "author": {"id": here.ann.id, "name": "Ann Author", "email": "ann@example.com"},
            "created_at": "2023-11-14T22:13:21Z",
            "updated_at": "2023-11-14T22:13:21Z",
        }
    ]


@pytest.mark.requirement("basecamp.attachments")
async def test_a_file_that_is_found_has_no_id_and_a_place(here: Reading) -> None:
    """Basecamp sends neither its type nor a title of it."""
    message = here.post("Kickoff")
    message.attachments = [here.account.attachment("gadgets.pdf")]
    answer = await here.call("search", q="gadgets", type="Attachment")
    (hit,) = answer["items"]
    assert (hit["id"], hit["type"], hit["title"]) == (None, "Attachment", "gadgets.pdf")
    assert hit["parent"] == {"id": message.id, "name": "Kickoff"}
    assert hit["url"].startswith("https://3.basecamp.com/")


async def test_a_search_is_narrowed_by_basecamp(here: Reading) -> None:
    """By type, project and author."""
    other = here.account.add_project("Other")
    add_document(here.account, other.tool("vault"), "gadgets there", here.me)
    add_document(here.account, here.project.tool("vault"), "gadgets here", here.ann)
    here.post("gadgets too")

    async def titles(**arguments: object) -> list[str]:
        answer = await here.call("search", q="gadgets", **arguments)
        return [one["title"] for one in answer["items"]]

    assert await titles() == ["gadgets too", "gadgets here", "gadgets there"]
    assert await titles(type="Document") == ["gadgets here", "gadgets there"]
    assert await titles(bucket_id=other.id) == ["gadgets there"]
    assert await titles(creator_id=here.ann.id, type="Document") == ["gadgets here"]
    assert dict(here.asked("/search.json")[-1].query) == {
        "q": "gadgets",
        "type": "Document",
        "creator_id": str(here.ann.id),
    }


async def test_a_type_that_the_account_does_not_know_is_refused(here: Reading) -> None:
    """With those that it knows."""
    refused = await here.refused("search", q="gadgets", type="Todos")
    assert refused["error_code"] == "INVALID_INPUT"
    assert refused["hint"].startswith("Did you mean 'Todo'?")
    assert not here.asked("/search.json")
    unknown = await here.refused("search", q="gadgets", type="Xyz")
    assert unknown["hint"].startswith("There are: Comment")


async def test_a_search_for_nothing_is_refused(here: Reading) -> None:
    """Nothing is asked."""
    refused = await here.refused("search", q="  ")
    assert refused["details"]["field_errors"][0]["field"] == "q"
    assert not len(here.basecamp.requests)


@pytest.mark.requirement("basecamp.paging")
async def test_everything_that_is_found_is_read_by_cursors(here: Reading) -> None:
    """However much it is."""
    for number in range(150):
        here.post(f"gadget {number}")
    found = await here.everything("search", q="gadget")
    assert len({one["id"] for one in found}) == 150


@pytest.mark.requirement("basecamp.bound")
async def test_a_bound_context_finds_only_what_lies_in_its_project(here: Reading) -> None:
    """It is asked for, another one is refused, and what lies elsewhere is left out."""
    other = here.account.add_project("Other")
    todolist = add_todolist(here.account, other.tool("todoset"), "List", here.ann)
    far = add_todo(here.account, todolist, "far gadgets", here.ann)
    here.post("near gadgets")
    bound = bound_to(here.project)
    answer = await here.call("search", meta=bound, q="gadgets")
    assert [one["title"] for one in answer["items"]] == ["near gadgets"]
    assert dict(here.asked("/search.json")[-1].query)["bucket_id"] == str(here.project.id)
    refused = await here.refused("search", meta=bound, q="gadgets", bucket_id=other.id)
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    stray = [
        {"id": far.id, "title": "far gadgets", "bucket": {"id": other.id}},
        {"id": 1, "title": "nowhere", "bucket": None},
    ]
    body = orjson.dumps(stray).decode()
    here.basecamp.faults.add(AnswerWith(status=200, body=body), path="*/search.json")
    answer = await here.call("search", meta=bound, q="gadgets")
    assert answer["items"] == []


@pytest.mark.requirement("basecamp.nulls")
async def test_a_hit_of_nulls_is_read(here: Reading) -> None:
    """Nothing of it is needed."""
    names = (
        *("id", "type", "title", "app_url", "created_at", "updated_at", "bucket", "parent"),
        *("creator", "plain_text_content", "plain_text_description", "filename", "byte_size"),
        *("content_type", "download_url", "app_download_url", "content", "description"),
    )
    body = orjson.dumps([dict.fromkeys(names), {}]).decode()
    here.basecamp.faults.add(AnswerWith(status=200, body=body), path="*/search.json")
    answer = await here.call("search", q="gadgets")
    assert [one["project"] for one in answer["items"]] == [None, None]

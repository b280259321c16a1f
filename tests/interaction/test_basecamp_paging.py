"""Lists of any length, through the real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from tests.interaction.asking import text_of
from tests.interaction.project_reading import Reading, client_of, reading, settings_for
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio

MANY = 150
"""More than three pages: 15, 30 and 50 are the first ones."""


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """A board with more messages than three pages hold."""
    async with reading(monkeypatch) as made:
        for number in range(MANY):
            made.post(f"{number}", f"<div>Message {number}</div>")
        yield made


def oldest_first(here: Reading) -> dict[str, object]:
    return {"project_id": here.project.id, "direction": "asc", "fields": ["title"]}


@pytest.mark.requirement("basecamp.paging")
async def test_the_pages_of_a_long_list_hold_all_of_it(here: Reading) -> None:
    """By the numbers of the pages: 15, 30, 50, and the rest."""
    sizes, titles, page = [], [], 1
    while page:
        answer = await here.call("list_messages", **oldest_first(here), page=page)
        sizes.append(len(answer["items"]))
        titles += [one["title"] for one in answer["items"]]
        assert answer["page_info"]["total_count"] == MANY
        assert answer["page_info"]["returned"] == sizes[-1]
        assert answer["has_more"] is (answer["page_info"]["next_page"] is not None)
        page = answer["page_info"]["next_page"]
    assert sizes == [15, 30, 50, 55]
    assert titles == [str(number) for number in range(MANY)]


@pytest.mark.requirement("basecamp.paging")
async def test_one_call_follows_the_pages_up_to_so_many_items(here: Reading) -> None:
    """All of them in one go, or a part, from which a cursor goes on."""
    whole = await here.call("list_messages", **oldest_first(here), max_items=500)
    assert [one["title"] for one in whole["items"]] == [str(number) for number in range(MANY)]
    assert not whole["has_more"]
    part = await here.call("list_messages", **oldest_first(here), max_items=100)
    assert len(part["items"]) == 100
    assert part["has_more"]
    assert part["page_info"]["truncated"]
    rest = await here.everything_from(
        "list_messages", part["page_info"]["next_cursor"], **oldest_first(here)
    )
    assert [one["title"] for one in rest] == [str(number) for number in range(100, MANY)]


@pytest.mark.requirement("basecamp.cursor")
async def test_a_cursor_goes_on_where_it_was_made_and_nowhere_else(here: Reading) -> None:
    """With other arguments, changed, or beside a page it is refused; nothing is asked."""
    first = await here.call("list_messages", **oldest_first(here))
    cursor = first["page_info"]["next_cursor"]
    assert len(await here.everything("list_messages", **oldest_first(here))) == MANY
    other = here.account.add_project("Other")
    here.basecamp.requests.clear()
    for wrong in (
        {"cursor": cursor, "direction": "desc"},
        {"cursor": cursor[:-3] + "AAA"},
        {"cursor": "nonsense"},
        {"cursor": cursor, "page": 2},
        {"cursor": cursor, "project_id": other.id},
    ):
        error = await here.refused("list_messages", **{**oldest_first(here), **wrong})
        assert error["error_code"] == "INVALID_INPUT", wrong
    error = await here.refused("list_projects", cursor=cursor)
    assert error["error_code"] == "INVALID_INPUT"
    assert not here.asked("/message_boards/*")
    assert not here.asked("/projects.json")


@pytest.mark.requirement("basecamp.cursor")
async def test_a_cursor_is_good_at_every_server_with_the_same_secret(
    here: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replicas share it, and it lasts beyond a restart; with another secret it is refused."""

    async def asked_with(secret: str, cursor: str) -> dict[str, Any]:
        monkeypatch.setenv("TRUNKLINE_SECRET", secret)
        async with client_of(here.clock, **settings_for(here.basecamp, here.account)) as client:
            other = replace(here, client=client)
            result = await other.raw("list_messages", **oldest_first(here), cursor=cursor)
            answer: dict[str, Any] = json.loads(text_of(result))
            return answer

    first = await asked_with("a-secret-of-this-mesh", "")
    cursor = first["page_info"]["next_cursor"]
    second = await asked_with("a-newer-secret-of-it,a-secret-of-this-mesh", cursor)
    assert [one["title"] for one in second["items"]][:2] == ["15", "16"]
    refused = await asked_with("somebody-else's-secret", cursor)
    assert refused["error_code"] == "INVALID_INPUT"


async def test_no_more_requests_are_in_flight_than_configured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many calls come at once; the others wait for their turn."""
    async with reading(monkeypatch, basecamp_concurrency=2) as here:
        gate = here.basecamp.faults.hold(path="*/projects/*", times=2)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            for _ in range(8):
                tasks.create_task(here.call("get_project_tools", project_id=here.project.id))
            await gate.reached(2)
            gate.release()
    assert here.basecamp.requests.most_in_flight == 2


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"page": 0}, "page"),
        ({"page": True}, "page"),
        ({"max_items": 501}, "max_items"),
        ({"max_items": -1}, "max_items"),
        ({"cursor": "x" * 5000}, "cursor"),
        ({"sort": "title"}, "sort"),
        ({"body": "html"}, "body"),
        ({"project_id": 0}, "project_id"),
    ],
)
async def test_an_argument_out_of_range_is_named(
    here: Reading, arguments: dict[str, object], field: str
) -> None:
    """Before anything is asked."""
    error = await here.refused("list_messages", **{"project_id": here.project.id, **arguments})
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"] == field
    assert not len(here.basecamp.requests)


@pytest.mark.requirement("basecamp.foreign-link")
@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/messages.json?page=2",
        "http://127.0.0.1:1/1/messages.json?page=2",
        "{base}/../2/messages.json?page=2",
    ],
)
async def test_a_link_to_elsewhere_is_not_followed(here: Reading, link: str) -> None:
    """The token would go with it."""
    target = link.format(base=f"{here.basecamp.url}/{here.account.id}")
    fault = AnswerWith(
        status=200, body="[]", headers={"link": f'<{target}>; rel="next"', "x-total-count": "9"}
    )
    here.basecamp.faults.add(fault, path="*/messages.json")
    error = await here.refused("list_messages", project_id=here.project.id, max_items=100)
    assert error["error_code"] == "UPSTREAM_UNAVAILABLE"
    assert error["details"]["reason"] == "foreign_link"
    assert len(here.asked("/message_boards/*")) == 1


@pytest.mark.requirement("basecamp.revalidated")
async def test_what_has_not_changed_is_confirmed_and_not_sent_again(here: Reading) -> None:
    """The second time costs no body, and says so; a change is seen at once."""
    first = await here.call("list_messages", project_id=here.project.id)
    again = await here.call("list_messages", project_id=here.project.id)
    assert again["items"] == first["items"]
    assert (first["source"]["cached"], again["source"]["cached"]) == (False, True)
    assert again["source"]["etag"] == first["source"]["etag"]
    asked = here.asked("/message_boards/*")[-1]
    assert asked.headers["if-none-match"] == first["source"]["etag"]
    here.post("New")
    changed = await here.call("list_messages", project_id=here.project.id)
    assert changed["items"][0]["title"] == "New"
    assert changed["source"]["cached"] is False

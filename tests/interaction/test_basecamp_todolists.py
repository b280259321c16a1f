"""Listing the to-do lists of a project, and their groups."""

import asyncio
from collections.abc import AsyncIterator

import orjson
import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from tests.standing_clock import StandingClock
from trunkline_shared.testing.basecamp import rate_limited
from trunkline_shared.testing.basecamp.todos import Todolist, add_todo, add_todolist
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


def new_list(here: Reading, name: str) -> Todolist:
    """Add a list to the project's to-do set."""
    return add_todolist(here.account, here.project.tool("todoset"), name, here.ann)


@pytest.mark.requirement("basecamp.no-inner-ids")
async def test_lists_come_without_the_id_of_the_set(here: Reading) -> None:
    """The set is found in the dock; the ratio is told in numbers, too."""
    launch = new_list(here, "Launch")
    launch.description = "<div>What is <strong>left</strong></div>"
    launch.color = "red"
    for content in ("one", "two", "three"):
        add_todo(here.account, launch, content, here.ann).complete(
            here.me, here.account.times.now()
        )
        add_todo(here.account, launch, content, here.ann)
    answer = await here.call("list_todolists", project_id=here.project.id)
    assert answer["todoset_id"] == here.project.tool("todoset").id
    assert answer["items"] == [
        {
            "id": launch.id,
            "name": "Launch",
            "description": "What is **left**",
            "completed": False,
            "completed_ratio": "3/6",
            "total_count": 6,
            "completed_count": 3,
            "todos_url": f"{here.basecamp.url}/{here.account.id}/todolists/{launch.id}/todos.json",
            "url": (
                f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
                f"/todolists/{launch.id}"
            ),
            "color": "red",
            "position": 1,
            "groups": None,
        }
    ]
    assert answer["page_info"]["total_count"] == 1
    assert not here.asked("/todolists/*/groups.json")


@pytest.mark.requirement("basecamp.groups")
async def test_groups_are_told_when_asked_for(here: Reading) -> None:
    """Each list is asked for its own."""
    launch, later = new_list(here, "Launch"), new_list(here, "Later")
    design = add_todolist(here.account, launch, "Design", here.ann)
    add_todo(here.account, design, "Draw it", here.ann)
    answer = await here.call("list_todolists", project_id=here.project.id, include_groups=True)
    assert {one["name"]: one["groups"] for one in answer["items"]} == {
        "Launch": [
            {
                "id": design.id,
                "name": "Design",
                "completed": False,
                "completed_ratio": "0/1",
                "total_count": 1,
                "completed_count": 0,
                "color": None,
                "position": 1,
            }
        ],
        "Later": [],
    }
    assert [one["id"] for one in answer["items"]] == [launch.id, later.id]


async def test_groups_that_are_left_out_again_are_not_asked_for(here: Reading) -> None:
    """Each list would cost a request of the fifty in ten seconds."""
    add_todolist(here.account, new_list(here, "Launch"), "Design", here.ann)
    arguments = {"project_id": here.project.id, "include_groups": True}
    answer = await here.call("list_todolists", **arguments, fields=["name"])
    assert answer["items"] == [{"name": "Launch"}]
    assert not here.asked("/todolists/*/groups.json")
    answer = await here.call("list_todolists", **arguments, fields=["groups"])
    assert [len(one["groups"]) for one in answer["items"]] == [1]


@pytest.mark.requirement("basecamp.groups", "basecamp.retry-after")
async def test_groups_of_many_lists_survive_a_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """One refusal among many requests at once is waited out by all of them."""
    clock = StandingClock()
    async with asyncio.timeout(20), reading(monkeypatch, clock) as here:
        for number in range(40):
            add_todolist(here.account, new_list(here, f"List {number}"), "Group", here.ann)
        here.basecamp.faults.add(rate_limited(2), path="*/groups.json", skip=5)
        async with asyncio.TaskGroup() as tasks:
            arguments = {"project_id": here.project.id, "include_groups": True, "max_items": 40}
            call = tasks.create_task(here.call("list_todolists", **arguments))
            await clock.pass_by(2, sleepers=15)
        assert [len(one["groups"]) for one in call.result()["items"]] == [1] * 40
        assert here.basecamp.requests.most_in_flight <= 10


@pytest.mark.requirement("basecamp.status-upstream")
@pytest.mark.parametrize("status", ["archived", "trashed"])
async def test_another_status_is_asked_of_basecamp(here: Reading, status: str) -> None:
    """Its own default is the active lists, and only they."""
    new_list(here, "Now")
    new_list(here, "Then").status = "archived"
    new_list(here, "Never").status = "trashed"
    answer = await here.call("list_todolists", project_id=here.project.id, status=status)
    assert [one["name"] for one in answer["items"]] == [
        {"archived": "Then", "trashed": "Never"}[status]
    ]
    assert dict(here.asked("/todosets/*")[-1].query) == {"status": status}


@pytest.mark.requirement("basecamp.dock")
async def test_a_project_without_to_dos_is_told(here: Reading) -> None:
    """Switched off, and never there, with what there is instead."""
    here.project.tool("todoset").disable()
    off = await here.refused("list_todolists", project_id=here.project.id)
    assert off["error_code"] == "TOOL_NOT_ENABLED"
    assert off["details"]["reason"] == "disabled"
    here.project.without("todoset")
    absent = await here.refused("list_todolists", project_id=here.project.id)
    assert absent["details"]["reason"] == "absent"
    assert "message_board" in absent["details"]["enabled"]


@pytest.mark.requirement("basecamp.nulls")
async def test_a_list_of_nulls_is_read(here: Reading) -> None:
    """Nobody described it, and its ratio is none."""
    new_list(here, "Bare").description = None
    sent = await here.call("list_todolists", project_id=here.project.id)
    assert sent["items"][0]["description"] == ""
    nulls = {
        "id": 7,
        "bucket": {"id": here.project.id, "name": None, "type": None},
        "name": None,
        "title": "Bare",
        "description": None,
        "description_attachments": None,
        "completed": None,
        "completed_ratio": None,
        "todos_url": None,
        "creator": None,
        "position": None,
        "comments_count": None,
        "created_at": None,
    }
    here.basecamp.faults.add(
        AnswerWith(status=200, body=orjson.dumps([nulls]).decode()), path="*/todolists.json"
    )
    answer = await here.call("list_todolists", project_id=here.project.id)
    (entry,) = answer["items"]
    assert (entry["name"], entry["total_count"], entry["completed"]) == ("Bare", None, False)


@pytest.mark.requirement("basecamp.paging")
async def test_more_lists_than_three_pages_hold_are_all_listed(here: Reading) -> None:
    """15, 30, 50, and the rest."""
    names = [new_list(here, f"List {number}").name for number in range(160)]
    found = await here.everything("list_todolists", project_id=here.project.id)
    assert [one["name"] for one in found] == names
    whole = await here.call("list_todolists", project_id=here.project.id, max_items=500)
    assert [one["name"] for one in whole["items"]] == names
    assert (whole["has_more"], whole["page_info"]["total_count"]) == (False, 160)


async def test_fields_narrow_each_list(here: Reading) -> None:
    """An unknown one is refused before anything is asked."""
    new_list(here, "Launch")
    answer = await here.call("list_todolists", project_id=here.project.id, fields=["name"])
    assert answer["items"] == [{"name": "Launch"}]
    before = len(here.basecamp.requests)
    wrong = await here.refused("list_todolists", project_id=here.project.id, fields=["names"])
    assert (wrong["error_code"], wrong["hint"]) == ("INVALID_INPUT", "Did you mean 'name'?")
    assert len(here.basecamp.requests) == before


@pytest.mark.requirement("basecamp.bound")
async def test_lists_of_another_project_are_out_of_reach(here: Reading) -> None:
    """Nothing is asked of Basecamp."""
    other = here.account.add_project("Other")
    refused = await here.refused("list_todolists", meta=bound_to(here.project), project_id=other.id)
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    assert not len(here.basecamp.requests)

"""Reading what happens in projects: comments, recordings of a type, schedules."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime

import orjson
import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from trunkline_shared.testing.basecamp.files import add_document, add_upload
from trunkline_shared.testing.basecamp.schedule import add_entry
from trunkline_shared.testing.basecamp.todos import add_todo, add_todolist
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 2, 8, 12, 0, tzinfo=UTC)


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


async def test_comments_on_anything_are_listed_oldest_first(here: Reading) -> None:
    """Their times are in UTC, whatever zone they were sent in."""
    todolist = add_todolist(here.account, here.project.tool("todoset"), "Launch", here.ann)
    todo = add_todo(here.account, todolist, "Ship", here.ann)
    first = here.account.add_comment(todo, here.me, "<div>One <strong>two</strong></div>")
    here.account.add_comment(todo, None, "<div>Three</div>")
    answer = await here.call("list_recording_comments", recording_id=todo.id)
    assert answer["recording_id"] == todo.id
    assert answer["items"][0] == {
        "id": first.id,
        "author": {"id": here.me.id, "name": "Robin Reader", "email": "robin@example.com"},
        "created_at": "2023-11-14T22:13:23Z",
        "updated_at": "2023-11-14T22:13:23Z",
        "url": (
            f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
            f"/comments/{first.id}"
        ),
        "content": "One **two**",
    }
    assert [one["content"] for one in answer["items"]] == ["One **two**", "Three"]


@pytest.mark.requirement("basecamp.paging")
async def test_a_long_discussion_is_read_whole(here: Reading) -> None:
    """Page by page, and in one call."""
    message = here.post("Kickoff")
    said = [str(number) for number in range(150)]
    for text in said:
        here.account.add_comment(message, here.me, text)
    found = await here.everything("list_recording_comments", recording_id=message.id)
    assert [one["content"] for one in found] == said
    whole = await here.call("list_recording_comments", recording_id=message.id, max_items=500)
    assert (len(whole["items"]), whole["page_info"]["total_count"]) == (150, 150)


@pytest.mark.requirement("basecamp.bound")
@pytest.mark.parametrize("comments", [0, 1])
async def test_a_bound_context_reads_comments_of_its_own_project_only(
    here: Reading, comments: int
) -> None:
    """Also when there are none that could tell where they lie."""
    other = here.account.add_project("Other")
    far = here.account.add_message(other.tool("message_board"), "Secret", here.ann)
    near = here.post("Open")
    for _ in range(comments):
        here.account.add_comment(far, here.ann, "secret")
        here.account.add_comment(near, here.ann, "open")
    bound = bound_to(here.project)
    refused = await here.refused("list_recording_comments", meta=bound, recording_id=far.id)
    assert refused["error_code"] == "NOT_FOUND"
    assert "secret" not in str(refused).lower()
    answer = await here.call("list_recording_comments", meta=bound, recording_id=near.id)
    assert [one["content"] for one in answer["items"]] == ["open"] * comments


async def test_recordings_of_a_type_are_listed_over_all_projects(here: Reading) -> None:
    """With the project that each lies in; a to-do's text is its description, not its title."""
    other = here.account.add_project("Other")
    todolist = add_todolist(here.account, other.tool("todoset"), "Launch", here.ann)
    todo = add_todo(here.account, todolist, "Ship", here.me)
    todo.description, todo.due_on = "<div>All of <strong>it</strong></div>", date(2026, 3, 1)
    todo.complete(here.me, here.account.times.now())
    add_document(here.account, here.project.tool("vault"), "Plan", here.ann, "<div>First</div>")
    answer = await here.call("list_recordings", type="Todo")
    (entry,) = answer["items"]
    assert entry["project"] == {"id": other.id, "name": "Other"}
    assert entry["parent"] == {"id": todolist.id, "name": "Launch"}
    assert (entry["title"], entry["excerpt"]) == ("Ship", "All of it")
    assert (entry["completed"], entry["due_on"]) == (True, "2026-03-01")
    documents = await here.call("list_recordings", type="Document")
    assert [(one["excerpt"], one["completed"]) for one in documents["items"]] == [("First", None)]


@pytest.mark.requirement("basecamp.status-upstream")
async def test_what_narrows_recordings_is_asked_of_basecamp(here: Reading) -> None:
    """Status, order and projects; one project needs no list."""
    other = here.account.add_project("Other")
    for project in (here.project, other):
        for name in ("a.pdf", "b.pdf"):
            add_upload(here.account, project.tool("vault"), name, here.ann).status = "archived"
    answer = await here.call(
        "list_recordings",
        type="Upload",
        bucket=[here.project.id, other.id],
        status="archived",
        sort="updated_at",
        direction="asc",
    )
    assert [one["title"] for one in answer["items"]] == ["a.pdf", "b.pdf", "a.pdf", "b.pdf"]
    assert dict(here.asked("/projects/recordings.json")[-1].query) == {
        "type": "Upload",
        "bucket": f"{here.project.id},{other.id}",
        "status": "archived",
        "sort": "updated_at",
        "direction": "asc",
    }
    one = await here.call("list_recordings", type="Upload", bucket=other.id, status="archived")
    assert [entry["title"] for entry in one["items"]] == ["b.pdf", "a.pdf"]
    wrong = await here.refused("list_recordings", type="Joke")
    assert wrong["error_code"] == "INVALID_INPUT"


@pytest.mark.requirement("basecamp.paging")
async def test_recordings_are_read_whole_by_their_cursors(here: Reading) -> None:
    """However many there are."""
    for number in range(150):
        here.post(str(number))
    found = await here.everything("list_recordings", type="Message")
    assert [one["title"] for one in found] == [str(number) for number in range(150)][::-1]


@pytest.mark.requirement("basecamp.bound")
async def test_a_bound_context_lists_recordings_of_its_own_project_only(here: Reading) -> None:
    """It is asked for, another one is refused, and what comes back is looked at."""
    other = here.account.add_project("Other")
    here.post("near")
    far = here.account.add_message(other.tool("message_board"), "far", here.ann)
    bound = bound_to(here.project)
    answer = await here.call("list_recordings", meta=bound, type="Message")
    assert [one["title"] for one in answer["items"]] == ["near"]
    assert dict(here.asked("/projects/*")[-1].query)["bucket"] == str(here.project.id)
    refused = await here.refused("list_recordings", meta=bound, type="Message", bucket=[other.id])
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    stray = [{"id": far.id, "type": "Message", "bucket": {"id": other.id, "name": "Other"}}]
    body = orjson.dumps(stray).decode()
    here.basecamp.faults.add(AnswerWith(status=200, body=body), path="*/recordings.json")
    leaked = await here.refused("list_recordings", meta=bound, type="Message")
    assert leaked["error_code"] == "NOT_FOUND"
    assert "Other" not in str(leaked)


@pytest.mark.requirement("basecamp.no-inner-ids")
async def test_a_schedule_is_listed_without_its_id(here: Reading) -> None:
    """Times in UTC; days stay days."""
    schedule = here.project.tool("schedule")
    meeting = add_entry(here.account, schedule, here.ann, "Team meeting", NOON)
    meeting.description = "<div>Time to <strong>talk</strong></div>"
    meeting.participants, meeting.every = [here.me], "every_week"
    add_entry(here.account, schedule, here.ann, "Holiday", date(2026, 5, 1), date(2026, 5, 3))
    answer = await here.call("list_schedule_entries", project_id=here.project.id)
    assert answer["schedule_id"] == schedule.id
    first, second = answer["items"]
    assert first == {
        "id": meeting.id,
        "summary": "Team meeting",
        "description": "Time to **talk**",
        "starts_at": "2026-02-08T12:00:00Z",
        "ends_at": "2026-02-08T12:00:00Z",
        "all_day": False,
        "participants": [{"id": here.me.id, "name": "Robin Reader", "email": "robin@example.com"}],
        "frequency": "every_week",
        "author": {"id": here.ann.id, "name": "Ann Author", "email": "ann@example.com"},
        "url": (
            f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
            f"/schedule_entries/{meeting.id}"
        ),
        "comments_count": 0,
    }
    assert (second["starts_at"], second["ends_at"]) == ("2026-05-01", "2026-05-03")
    assert (second["all_day"], second["frequency"]) == (True, None)


@pytest.mark.requirement("basecamp.status-upstream")
async def test_archived_entries_of_a_schedule_are_asked_for(here: Reading) -> None:
    """Basecamp's own default is the active ones."""
    schedule = here.project.tool("schedule")
    add_entry(here.account, schedule, here.ann, "now", NOON)
    add_entry(here.account, schedule, here.ann, "then", NOON).status = "archived"
    answer = await here.call("list_schedule_entries", project_id=here.project.id, status="archived")
    assert [one["summary"] for one in answer["items"]] == ["then"]


@pytest.mark.requirement("basecamp.dock", "basecamp.bound")
async def test_a_schedule_that_is_not_there_or_out_of_reach_is_told(here: Reading) -> None:
    """Switched off, and of another project."""
    other = here.account.add_project("Other")
    bound = bound_to(here.project)
    refused = await here.refused("list_schedule_entries", meta=bound, project_id=other.id)
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    here.project.tool("schedule").disable()
    off = await here.refused("list_schedule_entries", project_id=here.project.id)
    assert (off["error_code"], off["details"]["tool"]) == ("TOOL_NOT_ENABLED", "schedule")


@pytest.mark.requirement("basecamp.nulls")
@pytest.mark.parametrize(
    ("tool", "path"),
    [
        ("list_recording_comments", "*/comments.json"),
        ("list_recordings", "*/recordings.json"),
        ("list_schedule_entries", "*/entries.json"),
    ],
)
async def test_what_is_null_is_read(here: Reading, tool: str, path: str) -> None:
    """Everything but the id and the project."""
    names = (
        *("status", "type", "title", "created_at", "updated_at", "app_url", "parent", "creator"),
        *("comments_count", "content", "content_attachments", "description", "summary"),
        *("description_attachments", "all_day", "starts_at", "ends_at", "participants"),
        *("recurrence_schedule", "completed", "due_on"),
    )
    nulls = {**dict.fromkeys(names), "id": 7, "bucket": {"id": here.project.id, "name": None}}
    here.basecamp.faults.add(AnswerWith(status=200, body=orjson.dumps([nulls]).decode()), path=path)
    arguments: dict[str, dict[str, object]] = {
        "list_recording_comments": {"recording_id": 7},
        "list_recordings": {"type": "Todo"},
        "list_schedule_entries": {"project_id": here.project.id},
    }
    answer = await here.call(tool, **arguments[tool])
    assert [one["author"] for one in answer["items"]] == [None]

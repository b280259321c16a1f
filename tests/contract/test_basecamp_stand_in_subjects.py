"""The stand-in's other subjects look and behave as Basecamp documents them (bc3-api, sections/)."""

from collections.abc import AsyncIterator
from datetime import date, timedelta

import aiohttp
import pytest

from tests.contract.basecamp import COMMENTED, NOW, RECORDING, Asker, asking
from trunkline_shared.testing.basecamp.campfire import add_line
from trunkline_shared.testing.basecamp.files import add_document, add_folder, add_upload
from trunkline_shared.testing.basecamp.schedule import add_entry
from trunkline_shared.testing.basecamp.todos import add_todo, add_todolist

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(session: aiohttp.ClientSession) -> AsyncIterator[Asker]:
    """A stand-in with a project, and somebody who may see it."""
    async with asking(session) as made:
        yield made


async def test_a_vault_shows_what_lies_in_it_and_not_in_its_folders(here: Asker) -> None:
    """Documents and files."""
    vault = here.project.tool("vault")
    folder = add_folder(here.account, vault, "Contracts", here.me)
    plan = add_document(here.account, vault, "Plan", here.me, "<div>First</div>")
    add_document(here.account, folder, "Inside", here.me)
    logo = add_upload(here.account, vault, "logo.png", here.me)
    logo.width, logo.height = 164, 39
    (document,) = (await here.get(f"/vaults/{vault.id}/documents.json")).json
    assert document.keys() >= COMMENTED | {"position", "content"}
    assert document == (await here.get(f"/documents/{plan.id}.json")).json
    (upload,) = (await here.get(f"/vaults/{vault.id}/uploads.json")).json
    assert upload.keys() >= COMMENTED | {
        *("description", "filename", "content_type", "byte_size", "width", "height"),
        *("download_url", "app_download_url"),
    }
    (inside,) = (await here.get(f"/vaults/{folder.id}/documents.json")).json
    assert inside["parent"]["id"] == folder.id
    for known in (vault.id, folder.id):
        shown = (await here.get(f"/vaults/{known}.json")).json
        assert (shown["type"], shown["bucket"]["id"]) == ("Vault", here.project.id)


async def test_a_campfire_shows_the_oldest_first_unless_asked_otherwise(here: Asker) -> None:
    """Fifteen of them; the header counts all."""
    chat = here.project.tool("chat")
    for number in range(20):
        add_line(here.account, chat, here.me, str(number))
    reply = await here.get(f"/chats/{chat.id}/lines.json")
    assert [one["content"] for one in reply.json] == [str(number) for number in range(15)]
    assert reply.headers["x-total-count"] == "20"
    newest = (await here.get(f"/chats/{chat.id}/lines.json?sort=created_at&direction=desc")).json
    assert newest[0]["content"] == "19"
    assert newest[0].keys() >= RECORDING | {"content"}
    assert "attachments" not in newest[0]
    shown = add_line(here.account, chat, here.me, None, "Upload")
    shown.attachments = [here.account.attachment("a.pdf")]
    line = (await here.get(f"/chats/{chat.id}/lines.json?direction=desc")).json[0]
    assert (line["type"], line["content"]) == ("Chat::Lines::Upload", None)
    (file,) = line["attachments"]
    assert set(file) == {"title", "url", "filename", "content_type", "byte_size", "download_url"}


async def test_an_entry_of_a_schedule_has_times_or_days(here: Asker) -> None:
    """Days when it takes all of them."""
    schedule = here.project.tool("schedule")
    add_entry(here.account, schedule, here.me, "Meeting", NOW, NOW + timedelta(hours=1))
    add_entry(here.account, schedule, here.me, "Holiday", date(2026, 5, 1)).every = "every_year"
    meeting, holiday = (await here.get(f"/schedules/{schedule.id}/entries.json")).json
    assert meeting.keys() >= COMMENTED | {
        *("description", "summary", "all_day", "starts_at", "ends_at", "participants"),
    }
    assert "recurrence_schedule" not in meeting
    assert (meeting["all_day"], meeting["ends_at"]) == (False, "2026-02-08T07:00:00.000-06:00")
    assert (holiday["all_day"], holiday["starts_at"]) == (True, "2026-05-01")
    assert holiday["recurrence_schedule"]["frequency"] == "every_year"


async def test_recordings_need_a_type_and_can_be_narrowed(here: Asker) -> None:
    """Those of active projects, the newest first."""
    other = here.account.add_project("Other")
    gone = here.account.add_project("Gone")
    for project in (here.project, other, gone):
        here.account.add_message(project.tool("message_board"), project.name, here.me)
    gone.status = "archived"

    async def titles(query: str) -> list[str]:
        return [one["title"] for one in (await here.get(f"/projects/recordings.json{query}")).json]

    assert (await here.get("/projects/recordings.json")).status == 400
    assert (await here.get("/projects/recordings.json?type=Joke")).status == 400
    assert await titles("?type=Message") == ["Other", "Widgets"]
    assert await titles("?type=Message&direction=asc") == ["Widgets", "Other"]
    assert await titles(f"?type=Message&bucket={other.id}") == ["Other"]
    assert await titles(f"?type=Message&bucket={other.id},{gone.id}") == ["Gone", "Other"]
    assert await titles("?type=Message&status=trashed") == []


async def test_the_older_route_of_comments_knows_its_project(here: Asker) -> None:
    """It answers 404 for what lies elsewhere."""
    other = here.account.add_project("Other")
    message = here.account.add_message(here.project.tool("message_board"), "Hello", here.me)
    here.account.add_comment(message, here.me, "<div>Hi</div>")
    at = f"/recordings/{message.id}/comments.json"
    (comment,) = (await here.get(at)).json
    assert comment.keys() >= RECORDING | {"content"}
    assert (await here.get(f"/buckets/{here.project.id}{at}")).json == [comment]
    assert (await here.get(f"/buckets/{other.id}{at}")).status == 404


async def test_a_search_marks_the_words_and_sends_no_text(here: Asker) -> None:
    """A file among the hits has no id, title, type or address."""
    board = here.project.tool("message_board")
    message = here.account.add_message(board, "Hello", here.me, "<div>Our <b>Widget</b></div>")
    message.attachments = [here.account.attachment("widget.pdf")]
    first, second = (await here.get("/search.json?q=widget")).json
    assert first.keys() >= RECORDING
    assert (first["content"], first["description"]) == (None, None)
    assert '<mark class="circled-text"><span></span>Widget</mark>' in first["plain_text_content"]
    assert not second.keys() & {"id", "title", "type", "url", "app_url"}
    assert second["filename"] == "widget.pdf"
    types = (await here.get("/searches/metadata.json")).json["recording_search_types"]
    assert {"key": None, "value": "Search Everything"} in types
    assert (await here.get("/search.json?q=widget&type=Todo")).json == []


async def test_assignments_are_ones_own_in_two_heaps(here: Asker) -> None:
    """Due ones by their scope, and not by any other."""
    todolist = add_todolist(here.account, here.project.tool("todoset"), "Launch", here.me)
    late, soon = (add_todo(here.account, todolist, name, here.me) for name in ("late", "soon"))
    add_todo(here.account, todolist, "nobody's", here.me)
    for todo, days in ((late, -1), (soon, 1)):
        todo.assignees, todo.due_on = [here.me], NOW.date() + timedelta(days=days)
    soon.up_next = True
    heaps = (await here.get("/my/assignments.json")).json
    (first,), (rest,) = heaps["priorities"], heaps["non_priorities"]
    assert (first["content"], first["priority_recording_id"]) == ("soon", soon.id)
    assert rest.keys() == {
        *("id", "app_url", "content", "starts_on", "due_on", "bucket", "completed", "type"),
        *("assignees", "comments_count", "has_description", "parent", "children"),
    }
    (due,) = (await here.get("/my/assignments/due.json")).json
    assert due["content"] == "late"
    wrong = await here.get("/my/assignments/due.json?scope=soon")
    assert (wrong.status, "Valid options" in wrong.json["error"]) == (400, True)
    late.complete(here.me, NOW)
    (done,) = (await here.get("/my/assignments/completed.json")).json
    assert (done["content"], done["completed"]) == ("late", True)


async def test_who_has_left_is_not_among_the_people(here: Asker) -> None:
    """Of the account and of a project."""
    here.account.add_person("Grace Gone", kind="Tombstone")
    outside = here.account.add_person("Otto Outside")
    here.project.closed_to[outside.id] = 404
    everybody = (await here.get("/people.json")).json
    assert [one["name"] for one in everybody] == ["Robin Reader", "Otto Outside"]
    inside = (await here.get(f"/projects/{here.project.id}/people.json")).json
    assert [one["name"] for one in inside] == ["Robin Reader"]
    assert (inside[0]["bio"], inside[0]["location"]) == (None, None)

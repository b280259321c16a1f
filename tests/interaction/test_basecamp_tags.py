"""What would spoil each result: the recordings that it shows, and what they hang on."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction.project_reading import Reading, reading
from trunkline_shared import meta
from trunkline_shared.testing.basecamp.files import add_document, add_folder
from trunkline_shared.testing.basecamp.todos import add_todo, add_todolist

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


async def tags(here: Reading, tool: str, **arguments: object) -> list[str]:
    """Return the tags of a result, each without what they all begin with."""
    result = await here.raw(tool, **arguments)
    assert not result.is_error, result.content
    told = (result.meta or {})[meta.REUSE]["tags"]
    return [tag.removeprefix(f"bc:{here.account.id}") for tag in told]


async def test_to_dos_are_spoiled_by_their_lists_and_groups(here: Reading) -> None:
    """An event about a to-do tells what it hangs on."""
    todoset = here.project.tool("todoset")
    launch = add_todolist(here.account, todoset, "Launch", here.ann)
    group = add_todolist(here.account, launch, "Group", here.ann)
    todo = add_todo(here.account, group, "Ship", here.ann)
    at, here_is = f":{here.project.id}", {"project_id": here.project.id}
    assert await tags(here, "list_todolists", **here_is) == [
        f"{at}:{todoset.id}",
        f"{at}:{launch.id}",
    ]
    assert await tags(here, "list_todos", todolist_id=launch.id, **here_is) == [
        f"{at}:{launch.id}",
        f"{at}:{group.id}",
    ]
    assert await tags(here, "get_todo", todo_id=todo.id, **here_is) == [f"{at}:{todo.id}"]


async def test_what_a_tool_of_the_dock_holds_is_spoiled_by_it(here: Reading) -> None:
    """Or by the folder that was named."""
    folder = add_folder(here.account, here.project.tool("vault"), "Folder", here.ann)
    document = add_document(here.account, folder, "Plan", here.ann)
    at, here_is = f":{here.project.id}", {"project_id": here.project.id}
    for tool, holder in (
        ("list_documents", "vault"),
        ("list_attachments", "vault"),
        ("list_schedule_entries", "schedule"),
    ):
        assert await tags(here, tool, **here_is) == [f"{at}:{here.project.tool(holder).id}"]
    assert await tags(here, "list_campfire_lines", **here_is) == [at]
    named = await tags(here, "list_documents", vault_id=folder.id, **here_is)
    assert named == [f"{at}:{folder.id}"]
    alone = await tags(here, "get_document", document_id=document.id, **here_is)
    assert alone == [f"{at}:{document.id}"]


async def test_comments_are_spoiled_by_what_they_are_on(here: Reading) -> None:
    """Without any, nothing tells the project: then by anything in the account."""
    message = here.post("Kickoff")
    assert await tags(here, "list_recording_comments", recording_id=message.id) == [""]
    here.account.add_comment(message, here.me, "Hi")
    assert await tags(here, "list_recording_comments", recording_id=message.id) == [
        f":{here.project.id}:{message.id}"
    ]


async def test_what_is_read_over_all_projects_has_the_accounts_tag(here: Reading) -> None:
    """And what is read of one project, that of the project."""
    assert await tags(here, "list_people") == [""]
    assert await tags(here, "list_people", project_id=here.project.id) == [f":{here.project.id}"]
    assert await tags(here, "list_my_assignments") == [""]
    assert await tags(here, "list_recordings", type="Message") == [""]
    assert await tags(here, "search", q="x") == [""]
    assert await tags(here, "search", q="x", bucket_id=here.project.id) == [f":{here.project.id}"]


async def test_a_configured_account_stands_in_what_the_tools_declare(here: Reading) -> None:
    """So that a result is known by its tags before it has been read."""
    tools = {one.name: one for one in (await here.client.list_tools()).tools}
    told = (tools["get_todo"].meta or {})[meta.POLICY]["reads"]["tags"]
    assert told == [f"bc:{here.account.id}:{{project_id}}:{{todo_id}}"]

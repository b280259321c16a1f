"""Reading to-dos: those of a list, those of its groups, and one in full."""

from collections.abc import AsyncIterator
from datetime import date

import orjson
import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from trunkline_shared.testing.basecamp.todos import Todo, Todolist, add_step, add_todo, add_todolist
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio

MAYBE_NULL = (
    *("status", "type", "title", "created_at", "updated_at", "app_url", "parent", "creator"),
    *("comments_count", "description", "description_attachments", "starts_on", "due_on"),
    *("completion", "completion_subscribers", "completed", "position", "steps", "subtasks_count"),
)


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


@pytest.fixture
def launch(here: Reading) -> Todolist:
    """A list in the project."""
    return add_todolist(here.account, here.project.tool("todoset"), "Launch", here.ann)


def add(here: Reading, where: Todolist, *contents: str) -> list[Todo]:
    """Add pending to-dos to a list."""
    return [add_todo(here.account, where, content, here.ann) for content in contents]


async def titles(here: Reading, todolist: Todolist, **arguments: object) -> list[str]:
    """Return the titles of the to-dos that are listed."""
    answer = await here.call(
        "list_todos", project_id=here.project.id, todolist_id=todolist.id, **arguments
    )
    return [one["title"] for one in answer["items"]]


@pytest.mark.requirement("basecamp.title-and-body")
async def test_a_to_do_is_listed_with_its_title_its_text_and_its_people(
    here: Reading, launch: Todolist
) -> None:
    """`content` is its title at Basecamp; here it is the description, in Markdown."""
    (todo,) = add(here, launch, "Write <the> docs")
    todo.description = "<div>All <strong>pages</strong></div>"
    todo.assignees = [here.me]
    todo.starts_on, todo.due_on = date(2026, 1, 2), date(2026, 1, 9)
    here.account.add_comment(todo, here.me, "<div>Soon</div>")
    answer = await here.call("list_todos", project_id=here.project.id, todolist_id=launch.id)
    assert (answer["todolist_id"], answer["groups"]) == (launch.id, [])
    assert answer["items"] == [
        {
            "id": todo.id,
            "title": "Write <the> docs",
            "content": "All **pages**",
            "assignees": [{"id": here.me.id, "name": "Robin Reader", "email": "robin@example.com"}],
            "starts_on": "2026-01-02",
            "due_on": "2026-01-09",
            "completed": False,
            "completed_at": None,
            "completer": None,
            "position": 1,
            "group": None,
            "url": (
                f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
                f"/todos/{todo.id}"
            ),
            "comments_count": 1,
        }
    ]


@pytest.mark.requirement("basecamp.completed-upstream")
async def test_completed_to_dos_are_asked_of_basecamp(here: Reading, launch: Todolist) -> None:
    """Its own default is the pending ones, so that a filter of the answer would find nothing."""
    pending, done = add(here, launch, "pending", "done")
    done.complete(here.ann, here.account.times.now())
    answer = await here.call(
        "list_todos", project_id=here.project.id, todolist_id=launch.id, completed=True
    )
    (entry,) = answer["items"]
    assert (entry["title"], entry["completed"]) == ("done", True)
    assert entry["completed_at"] == "2023-11-14T22:13:20Z"
    assert entry["completer"]["name"] == "Ann Author"
    assert entry["position"] is None
    assert dict(here.asked("/todolists/*/todos.json")[-1].query) == {"completed": "true"}
    assert await titles(here, launch) == [pending.content]
    assert not here.asked("/todolists/*/todos.json")[-1].query


@pytest.mark.requirement("basecamp.status-upstream")
async def test_archived_and_trashed_to_dos_are_asked_of_basecamp(
    here: Reading, launch: Todolist
) -> None:
    """They hold pending and completed ones, unless the completed ones are wanted."""
    now, then, gone = add(here, launch, "now", "then", "gone")
    then.status, gone.status = "archived", "trashed"
    (done,) = add(here, launch, "done then")
    done.status = "archived"
    done.complete(None, here.account.times.now())
    assert await titles(here, launch) == [now.content]
    assert await titles(here, launch, status="archived") == ["then", "done then"]
    assert await titles(here, launch, status="archived", completed=True) == ["done then"]
    assert await titles(here, launch, status="trashed") == ["gone"]


@pytest.mark.requirement("basecamp.groups")
async def test_to_dos_inside_groups_are_listed_with_their_group(
    here: Reading, launch: Todolist
) -> None:
    """Basecamp's own list leaves them out; a group by itself is a list like any other."""
    add(here, launch, "own")
    design = add_todolist(here.account, launch, "Design", here.ann)
    build = add_todolist(here.account, launch, "Build", here.ann)
    add(here, design, "draw")
    add(here, build, "hammer", "nail")
    answer = await here.call("list_todos", project_id=here.project.id, todolist_id=launch.id)
    groups = [{"id": design.id, "name": "Design"}, {"id": build.id, "name": "Build"}]
    assert answer["groups"] == groups
    assert [(one["title"], one["group"]) for one in answer["items"]] == [
        ("own", None),
        ("draw", groups[0]),
        ("hammer", groups[1]),
        ("nail", groups[1]),
    ]
    assert answer["page_info"]["total_count"] == 4
    assert await titles(here, launch, include_groups=False) == ["own"]
    assert await titles(here, build) == ["hammer", "nail"]


@pytest.mark.requirement("basecamp.groups")
async def test_archived_to_dos_are_found_in_archived_groups_and_in_active_ones(
    here: Reading, launch: Todolist
) -> None:
    """A group that was archived took its to-dos with it."""
    active = add_todolist(here.account, launch, "Active", here.ann)
    archived = add_todolist(here.account, launch, "Archived", here.ann)
    archived.status = "archived"
    for todo in (*add(here, active, "one"), *add(here, archived, "two")):
        todo.status = "archived"
    assert await titles(here, launch, status="archived") == ["one", "two"]
    assert await titles(here, launch) == []


@pytest.mark.requirement("basecamp.paging", "basecamp.groups")
async def test_more_to_dos_than_three_pages_hold_are_all_listed(
    here: Reading, launch: Todolist
) -> None:
    """Of the list and of its groups, each once, page by page and in one call."""
    design = add_todolist(here.account, launch, "Design", here.ann)
    empty = add_todolist(here.account, launch, "Empty", here.ann)
    own = {todo.content for todo in add(here, launch, *(f"own {n}" for n in range(150)))}
    grouped = {todo.content for todo in add(here, design, *(f"group {n}" for n in range(47)))}
    assert empty.id
    for arguments in ({}, {"max_items": 7}):
        found = await here.everything(
            "list_todos", project_id=here.project.id, todolist_id=launch.id, **arguments
        )
        assert len(found) == 197
        assert {one["title"] for one in found} == own | grouped
    whole = await here.call(
        "list_todos", project_id=here.project.id, todolist_id=launch.id, max_items=500
    )
    assert (len(whole["items"]), whole["has_more"]) == (197, False)
    assert whole["page_info"]["total_count"] == 197


async def test_a_page_can_be_named(here: Reading, launch: Todolist) -> None:
    """The second page of Basecamp's own list holds thirty."""
    add(here, launch, *(str(number) for number in range(60)))
    found = await titles(here, launch, page=2)
    assert found == [str(number) for number in range(15, 45)]


@pytest.mark.requirement("basecamp.filters-honest")
async def test_a_filter_of_ours_reads_on_to_the_end(here: Reading, launch: Todolist) -> None:
    """An assignee who appears on the last page only is found, and no total is invented."""
    todos = add(here, launch, *(str(number) for number in range(160)))
    for number in (3, 155, 159):
        todos[number].assignees = [here.ann, here.me]
    answer = await here.call(
        "list_todos", project_id=here.project.id, todolist_id=launch.id, assignee_id=here.me.id
    )
    assert [one["title"] for one in answer["items"]] == ["3", "155", "159"]
    assert answer["has_more"] is False
    assert answer["page_info"]["total_count"] is None
    assert answer["page_info"]["next_page"] is None
    one_by_one = await here.everything(
        "list_todos",
        project_id=here.project.id,
        todolist_id=launch.id,
        assignee_id=here.me.id,
        max_items=1,
    )
    assert [one["title"] for one in one_by_one] == ["3", "155", "159"]


@pytest.mark.requirement("basecamp.filters-honest")
async def test_to_dos_due_before_a_day_are_due_before_it(here: Reading, launch: Todolist) -> None:
    """One that is never due is not."""
    early, late, never = add(here, launch, "early", "late", "never")
    early.due_on, late.due_on = date(2026, 3, 1), date(2026, 3, 2)
    assert never.due_on is None
    assert await titles(here, launch, due_before="2026-03-02") == ["early"]
    wrong = await here.refused(
        "list_todos", project_id=here.project.id, todolist_id=launch.id, due_before="soon"
    )
    assert wrong["error_code"] == "INVALID_INPUT"
    assert wrong["details"]["field_errors"][0]["field"] == "due_before"


@pytest.mark.requirement("basecamp.cursor")
async def test_a_cursor_belongs_to_its_list_and_its_filters(
    here: Reading, launch: Todolist
) -> None:
    """Another list, another filter, or a group that came in between: it is refused."""
    other = add_todolist(here.account, here.project.tool("todoset"), "Other", here.ann)
    add(here, launch, *(str(number) for number in range(20)))
    answer = await here.call("list_todos", project_id=here.project.id, todolist_id=launch.id)
    cursor = answer["page_info"]["next_cursor"]
    for todolist_id, arguments in (
        (other.id, {}),
        (launch.id, {"completed": True}),
        (launch.id, {"assignee_id": here.me.id}),
    ):
        refused = await here.refused(
            "list_todos",
            project_id=here.project.id,
            todolist_id=todolist_id,
            cursor=cursor,
            **arguments,
        )
        assert refused["error_code"] == "INVALID_INPUT"
    add_todolist(here.account, launch, "New", here.ann)
    assert (
        await here.refused(
            "list_todos", project_id=here.project.id, todolist_id=launch.id, cursor=cursor
        )
    )["error_code"] == "INVALID_INPUT"


@pytest.mark.requirement("basecamp.title-and-body")
async def test_a_to_do_is_read_in_full(here: Reading, launch: Todolist) -> None:
    """With its author, its files, its steps, and who is told when it is done."""
    (todo,) = add(here, launch, "Ship it")
    todo.description = "<div>See the plan</div>"
    todo.assignees, todo.subscribers = [here.me], [here.ann]
    todo.attachments = [here.account.attachment("plan.pdf", byte_size=2048)]
    step = add_step(here.account, todo, "Pack", here.ann)
    step.assignees, step.due_on = [here.me], date(2026, 5, 6)
    step.completed_at = here.account.times.now()
    todo.complete(here.me, here.account.times.now())
    answer = await here.call("get_todo", project_id=here.project.id, todo_id=todo.id)
    me = {"id": here.me.id, "name": "Robin Reader", "email": "robin@example.com"}
    ann = {"id": here.ann.id, "name": "Ann Author", "email": "ann@example.com"}
    assert (answer["title"], answer["content"]) == ("Ship it", "See the plan")
    assert (answer["author"], answer["assignees"], answer["subscribers"]) == (ann, [me], [ann])
    assert answer["completion"] == {"completed_at": "2023-11-14T22:13:20Z", "completer": me}
    assert (answer["completed"], answer["completer"]) == (True, me)
    assert answer["todolist"] == {"id": launch.id, "name": "Launch"}
    assert answer["created_at"] == answer["updated_at"] == "2023-11-14T22:13:22Z"
    assert answer["steps"] == [
        {
            "id": step.id,
            "title": "Pack",
            "completed": True,
            "due_on": "2026-05-06",
            "assignees": [me],
            "url": (
                f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
                f"/subtasks/{step.id}"
            ),
        }
    ]


async def test_a_to_do_without_steps_is_one_request(here: Reading, launch: Todolist) -> None:
    """Steps are asked for only where Basecamp counts any."""
    (todo,) = add(here, launch, "Ship it")
    answer = await here.call("get_todo", project_id=here.project.id, todo_id=todo.id)
    assert answer["steps"] == []
    assert len(here.basecamp.requests) == 1


@pytest.mark.requirement("basecamp.nulls", "basecamp.people")
async def test_a_to_do_of_nulls_is_read(here: Reading) -> None:
    """Whatever is null, missing or a bot, in a list and alone."""
    nulls: dict[str, object] = {
        "id": 7,
        "bucket": {"id": here.project.id, "name": None},
        "content": "Bare",
        **dict.fromkeys(MAYBE_NULL),
        "assignees": [None, {"id": "basecamp", "name": "Basecamp", "email_address": None}],
    }
    body = orjson.dumps(nulls).decode()
    here.basecamp.faults.add(AnswerWith(status=200, body=body), path="*/todos/7.json")
    answer = await here.call("get_todo", project_id=here.project.id, todo_id=7)
    assert answer["assignees"] == [{"id": None, "name": "Basecamp", "email": None}]
    assert (answer["author"], answer["due_on"], answer["steps"]) == (None, None, [])
    here.basecamp.faults.add(AnswerWith(status=200, body=f"[{body}]"), path="*/todos.json")
    listed = await here.call("list_todos", project_id=here.project.id, todolist_id=1)
    assert [one["title"] for one in listed["items"]] == ["Bare"]


@pytest.mark.requirement("basecamp.moved")
async def test_a_to_do_that_was_moved_is_not_found_where_it_was(
    here: Reading, launch: Todolist
) -> None:
    """Where it lies now is told, unless the context is bound to a project."""
    other = here.account.add_project("Elsewhere")
    (todo,) = add(here, launch, "Wander")
    todo.project = other
    refused = await here.refused("get_todo", project_id=here.project.id, todo_id=todo.id)
    assert refused["error_code"] == "NOT_FOUND"
    assert refused["details"]["found_in"]["project_id"] == other.id
    bound = await here.refused(
        "get_todo", meta=bound_to(here.project), project_id=here.project.id, todo_id=todo.id
    )
    assert bound["error_code"] == "NOT_FOUND"
    assert "Elsewhere" not in str(bound)
    assert str(other.id) not in str(bound)


@pytest.mark.requirement("basecamp.moved")
@pytest.mark.parametrize("holds", ["nothing", "to-dos", "groups"])
async def test_a_list_of_another_project_is_not_found(here: Reading, holds: str) -> None:
    """Whatever it holds, or if nothing in it could tell; the list is named, which was asked for."""
    other = here.account.add_project("Elsewhere")
    far = add_todolist(here.account, other.tool("todoset"), "Far", here.ann)
    if holds == "to-dos":
        add(here, far, "away")
    if holds == "groups":
        add(here, add_todolist(here.account, far, "Group", here.ann), "away")
    refused = await here.refused("list_todos", project_id=here.project.id, todolist_id=far.id)
    assert refused["error_code"] == "NOT_FOUND"
    assert refused["details"]["reason"] == "other_project"
    assert f"todolist {far.id} " in refused["message"]
    assert str(other.id) in refused["hint"]


@pytest.mark.requirement("basecamp.no-access")
async def test_a_list_that_is_not_there_is_not_found(here: Reading) -> None:
    """That it has no groups either hides nothing."""
    refused = await here.refused("list_todos", project_id=here.project.id, todolist_id=12)
    assert (refused["error_code"], refused["details"]["http_status"]) == ("NOT_FOUND", 404)


@pytest.mark.requirement("basecamp.bound")
@pytest.mark.parametrize("tool", ["list_todos", "get_todo"])
async def test_to_dos_of_another_project_are_out_of_reach(here: Reading, tool: str) -> None:
    """Nothing is asked of Basecamp."""
    other = here.account.add_project("Other")
    name = "todolist_id" if tool == "list_todos" else "todo_id"
    arguments: dict[str, object] = {"project_id": other.id, name: 1}
    refused = await here.refused(tool, meta=bound_to(here.project), **arguments)
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    assert not len(here.basecamp.requests)


@pytest.mark.requirement("basecamp.never-writes")
async def test_nothing_but_reads_leaves(here: Reading, launch: Todolist) -> None:
    """Whatever is asked for."""
    (todo,) = add(here, launch, "Ship it")
    add_step(here.account, todo, "Pack", here.ann)
    await titles(here, launch)
    await here.call("get_todo", project_id=here.project.id, todo_id=todo.id)
    assert {request.method for request in here.basecamp.requests} == {"GET"}

"""Reading one to-do in full."""

from collections.abc import Sequence

from trunkline_project_reader.basecamp import todos
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.holding import found
from trunkline_project_reader.basecamp.listing import MOST_ITEMS, Extent, Listing
from trunkline_project_reader.basecamp.todos import SentStep, SentTodo
from trunkline_project_reader.bodies import Body, markdown_of
from trunkline_project_reader.results import author_of, authors_of, file_of
from trunkline_project_reader.todo_models import Completion, Named, Step, Todo


async def read(basecamp: Basecamp, project_id: int, todo_id: int) -> Todo:
    """Return a to-do in full, with its steps.

    Raises BlockedByPolicy, NotFound for one that lies in another project, or a TrunklineError.
    """
    todo = await found(basecamp, project_id, todos.todo(todo_id))
    body = await markdown_of(todo.description, todo.description_attachments)
    return _whole(todo, body, await _steps(basecamp, todo))


async def _steps(basecamp: Basecamp, todo: SentTodo) -> Sequence[SentStep]:
    """Return the steps: those sent with the to-do, or those that it only counts."""
    if todo.steps or not todo.subtasks_count:
        return todo.steps
    listing = Listing(endpoints=(todos.steps(todo.id),), question=("steps", todo.id))
    return (await basecamp.listed(listing, Extent(max_items=MOST_ITEMS))).items


def _whole(todo: SentTodo, body: Body, steps: Sequence[SentStep]) -> Todo:
    completion = _completion(todo)
    parent = todo.parent
    return Todo(
        id=todo.id,
        title=todo.content or todo.title,
        author=author_of(todo.creator),
        status=todo.status,
        created_at=todo.created_at,
        updated_at=todo.updated_at,
        url=todo.app_url,
        content=body.markdown,
        assignees=authors_of(todo.assignees),
        starts_on=todo.starts_on,
        due_on=todo.due_on,
        completed=todo.completed,
        completed_at=completion.completed_at if completion else None,
        completer=completion.completer if completion else None,
        completion=completion,
        subscribers=authors_of(todo.completion_subscribers),
        position=todo.position,
        todolist=Named(id=parent.id, name=parent.title) if parent else None,
        comments_count=todo.comments_count,
        attachments=[file_of(one) for one in body.attachments],
        mentions=list(body.mentions),
        steps=[_step(one) for one in steps],
    )


def _completion(todo: SentTodo) -> Completion | None:
    sent = todo.completion
    if sent is None:
        return None
    return Completion(completed_at=sent.created_at, completer=author_of(sent.creator))


def _step(one: SentStep) -> Step:
    return Step(
        id=one.id,
        title=one.title,
        completed=one.completed,
        due_on=one.due_on,
        assignees=authors_of(one.assignees),
        url=one.app_url,
    )

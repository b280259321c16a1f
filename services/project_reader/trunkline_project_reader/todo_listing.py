"""Listing the to-dos of a list, those inside its groups included."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from trunkline_project_reader.arguments import BodyForm
from trunkline_project_reader.basecamp import todos
from trunkline_project_reader.basecamp.belonging import require_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.holding import require_held
from trunkline_project_reader.basecamp.listing import Extent, Listing
from trunkline_project_reader.basecamp.todos import SentTodo
from trunkline_project_reader.bodies import RichText, bodies_of, form_in
from trunkline_project_reader.results import author_of, authors_of, ending
from trunkline_project_reader.todo_models import Named, TodoEntry, Todos
from trunkline_project_reader.todolist_listing import Status, groups_of
from trunkline_shared.listing import choose


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoQuery:
    """Which to-dos of which list; `assignee_id` 0 and `due_before` None filter nothing."""

    project_id: int
    todolist_id: int
    completed: bool = False
    status: Status = "active"
    include_groups: bool = True
    assignee_id: int = 0
    due_before: date | None = None

    @property
    def is_filtered(self) -> bool:
        """Whether there is something that Basecamp cannot filter."""
        return bool(self.assignee_id) or self.due_before is not None

    def lets_through(self, todo: SentTodo) -> bool:
        """Say whether a to-do that Basecamp let through is wanted."""
        mine = not self.assignee_id or any(p.id == self.assignee_id for p in todo.assignees)
        day = self.due_before
        return mine and (day is None or (todo.due_on is not None and todo.due_on < day))


async def browse(
    basecamp: Basecamp, query: TodoQuery, extent: Extent, fields: Sequence[str]
) -> Todos:
    """Return a part of a to-do list: a page of its own to-dos, then the same page of each group.

    Raises InvalidInput for an unknown field before anything is asked, NotFound for a list that
    lies in another project, else a TrunklineError.
    """
    choose((), fields, TodoEntry)
    await basecamp.account()
    require_project(query.project_id)
    groups = await _groups(basecamp, query)
    listing = Listing(
        endpoints=tuple(
            todos.todos(number, query.status, completed=query.completed)
            for number in (query.todolist_id, *groups)
        ),
        question=("todos", query, *groups),
        wanted=query.lets_through if query.is_filtered else None,
    )
    listed = await basecamp.listed(listing, extent)
    await require_held(basecamp, query.project_id, listed.items, todos.todolist(query.todolist_id))
    entries = await _entries(listed.items, groups, form_in(fields, "content"))
    return Todos(
        todolist_id=query.todolist_id,
        groups=list(groups.values()),
        items=choose(entries, fields, TodoEntry),
        **ending(listed),
    )


async def _groups(basecamp: Basecamp, query: TodoQuery) -> Mapping[int, Named]:
    if not query.include_groups:
        return {}
    found = await groups_of(basecamp, query.todolist_id, query.status)
    if found:
        await require_held(basecamp, query.project_id, found, todos.todolist(query.todolist_id))
    return {one.id: Named(id=one.id, name=one.name or one.title) for one in found}


async def _entries(
    found: Sequence[SentTodo], groups: Mapping[int, Named], form: BodyForm
) -> list[TodoEntry]:
    texts = (
        RichText(html=one.description, attachments=one.description_attachments) for one in found
    )
    bodies = await bodies_of(texts, form)
    return [
        _entry(one, body.markdown, groups.get(one.parent.id) if one.parent else None)
        for one, body in zip(found, bodies, strict=True)
    ]


def _entry(todo: SentTodo, content: str, group: Named | None) -> TodoEntry:
    completion = todo.completion
    return TodoEntry(
        id=todo.id,
        title=todo.content or todo.title,
        content=content,
        assignees=authors_of(todo.assignees),
        starts_on=todo.starts_on,
        due_on=todo.due_on,
        completed=todo.completed,
        completed_at=completion.created_at if completion else None,
        completer=author_of(completion.creator) if completion else None,
        position=todo.position,
        group=group,
        url=todo.app_url,
        comments_count=todo.comments_count,
    )

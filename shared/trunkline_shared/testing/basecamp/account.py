"""One account of Basecamp: its people, its projects and what is in them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from trunkline_shared.testing.basecamp.people import NAMELESS, Kind, Person
from trunkline_shared.testing.basecamp.projects import TITLES, DockTool, Project
from trunkline_shared.testing.basecamp.recordings import (
    Attachment,
    Category,
    Comment,
    Message,
    Recording,
)
from trunkline_shared.testing.basecamp.times import Times

RecordingT = TypeVar("RecordingT", bound=Recording)

USUAL_DOCK = ("message_board", "todoset", "vault", "chat", "schedule", "questionnaire", "inbox")


@dataclass(slots=True, kw_only=True, eq=False)
class Account:
    """What a stand-in's account holds; tests seed it with the `add_` methods.

    An `inactive` account is gone as a whole. Every recording is in `recordings`, by its id.
    """

    id: int
    name: str
    times: Times
    inactive: bool = False
    people: dict[int, Person] = field(default_factory=dict)
    projects: dict[int, Project] = field(default_factory=dict)
    recordings: dict[int, Recording] = field(default_factory=dict)

    def add_person(
        self, name: str, email: str | None = None, *, kind: Kind = "User", title: str | None = None
    ) -> Person:
        """Add somebody; people have an e-mail address, made of their name unless it is given."""
        usual = f"{name.split(maxsplit=1)[0].lower()}@example.com"
        person = Person(
            id=self.times.next_id(),
            name=name,
            email=None if kind in NAMELESS else email or usual,
            created_at=self.times.now(),
            kind=kind,
            title=title,
        )
        self.people[person.id] = person
        return person

    def add_project(self, name: str, description: str | None = None) -> Project:
        """Add an active project with the usual dock, all of it enabled but the last two."""
        now = self.times.now()
        project = Project(
            id=self.times.next_id(),
            name=name,
            description=description,
            created_at=now,
            updated_at=now,
        )
        for kind in USUAL_DOCK:
            self.add_tool(project, kind)
        for tool in project.dock[-2:]:
            tool.disable()
        self.projects[project.id] = project
        return project

    def add_tool(self, project: Project, name: str, title: str = "") -> DockTool:
        """Put one more tool into a project's dock, behind the others."""
        positions = [tool.position for tool in project.dock if tool.position is not None]
        tool = DockTool(
            id=self.times.next_id(),
            project=project,
            name=name,
            title=title or TITLES[name],
            position=max(positions, default=0) + 1,
        )
        project.dock.append(tool)
        return tool

    def keep(self, recording: RecordingT) -> RecordingT:
        """Make a recording known by its id."""
        self.recordings[recording.id] = recording
        return recording

    def add_message(
        self,
        board: DockTool,
        subject: str,
        creator: Person | None,
        content: str | None = None,
        *,
        category: Category | None = None,
    ) -> Message:
        """Post a message; `content` is HTML."""
        now = self.times.tick()
        return self.keep(
            Message(
                id=self.times.next_id(),
                project=board.project,
                creator=creator,
                created_at=now,
                updated_at=now,
                parent=board,
                subject=subject,
                content=content,
                category=category,
            )
        )

    def add_comment(self, on: Recording, creator: Person | None, content: str) -> Comment:
        """Comment on a recording; `content` is HTML."""
        now = self.times.tick()
        comment = Comment(
            id=self.times.next_id(),
            project=on.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=on,
            content=content,
        )
        on.comments.append(comment)
        return self.keep(comment)

    def add_category(self, name: str, icon: str) -> Category:
        return Category(id=self.times.next_id(), name=name, icon=icon)

    def attachment(self, filename: str, **facts: object) -> Attachment:
        """Return a file, as the structured list beside a rich text tells of it."""
        return Attachment(id=self.times.next_id(), filename=filename, **facts)  # type: ignore[arg-type] # a test's own facts

    def of_kind(self, kind: type[RecordingT]) -> Iterator[RecordingT]:
        """Yield the recordings of a kind, oldest first."""
        for recording in self.recordings.values():
            if isinstance(recording, kind):
                yield recording

"""All that a stand-in Jira holds; tests seed it with the `add_` methods and may change anything."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

from trunkline_shared.clock import Clock
from trunkline_shared.testing.jira.issues import (
    STORY,
    TO_DO,
    WORKFLOW,
    Comment,
    CustomField,
    Issue,
    IssueType,
    Project,
    Status,
    Transition,
    Visibility,
)
from trunkline_shared.testing.jira.people import Token, User

FlavourName = Literal["cloud", "data_center"]


@dataclass(slots=True, kw_only=True, eq=False)
class State:
    """The data of a stand-in, and how it treats those whose login fails.

    `unknown_login` says what an unknown credential gets: 401, or what nobody in particular may
    see; `tells_failed_login` whether a header then says so. With `login_page` every request gets
    the page of a single sign-on. `deployment_type` is what the server calls itself.
    `search_places` holds the tokens of Cloud's searches: each one's query, and where it goes on.
    """

    flavour: FlavourName
    clock: Clock
    deployment_type: str | None = None
    url: str = ""
    unknown_login: Literal["refused", "anonymous"] = "refused"
    tells_failed_login: bool = True
    login_page: bool = False
    users: list[User] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    projects: dict[str, Project] = field(default_factory=dict)
    issues: dict[str, Issue] = field(default_factory=dict)
    moved: dict[str, Issue] = field(default_factory=dict)
    fields: dict[str, CustomField] = field(default_factory=dict)
    transitions: list[Transition] = field(default_factory=lambda: list(WORKFLOW))
    search_places: dict[str, tuple[str, int]] = field(default_factory=dict)
    last_id: int = 10_100

    @property
    def is_cloud(self) -> bool:
        return self.flavour == "cloud"

    @property
    def api(self) -> str:
        """The path that the flavour's API begins with."""
        return "/rest/api/3" if self.is_cloud else "/rest/api/2"

    def next_id(self) -> str:
        self.last_id += 1
        return str(self.last_id)

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock.now(), UTC)

    def add_user(
        self, name: str, display_name: str = "", *, email: str | None = None, active: bool = True
    ) -> User:
        """Add an account; its account id is `acc-NAME`, its address `NAME@acme.test`."""
        user = User(
            account_id=f"acc-{name}",
            name=name,
            display_name=display_name or name.capitalize(),
            email=f"{name}@acme.test" if email is None else email,
            active=active,
        )
        self.users.append(user)
        return user

    def add_token(self, user: User, name: str) -> Token:
        """Add a secret, the name with `-token` after it."""
        token = Token(name=name, user=user, secret=f"{name}-token")
        self.tokens.append(token)
        return token

    def add_project(self, key: str, name: str = "", *, public: bool = False) -> Project:
        project = Project(id=self.next_id(), key=key, name=name or key.capitalize(), public=public)
        self.projects[key] = project
        return project

    def add_issue(  # noqa: PLR0913 - what an issue is commonly told with
        self,
        project: Project,
        summary: str,
        *,
        description: object = None,
        reporter: User | None = None,
        assignee: User | None = None,
        type: IssueType = STORY,  # noqa: A002 - Jira's word
        status: Status = TO_DO,
        parent: Issue | None = None,
        at: datetime | None = None,
    ) -> Issue:
        """Add an issue with the project's next number, made at `at` or now."""
        project.last_number += 1
        moment = at or self.now()
        issue = Issue(
            id=self.next_id(),
            project=project,
            number=project.last_number,
            summary=summary,
            description=description,
            type=type,
            status=status,
            reporter=reporter,
            assignee=assignee,
            parent=parent,
            created=moment,
            updated=moment,
        )
        if parent is not None and type.subtask:
            parent.subtasks.append(issue)
        self.issues[issue.key] = issue
        return issue

    def add_comment(
        self,
        issue: Issue,
        body: object,
        author: User | None,
        *,
        at: datetime | None = None,
        visibility: Visibility | None = None,
        public: bool | None = None,
    ) -> Comment:
        """Add a comment of `author` (None: a deleted account), made at `at` or now."""
        moment = at or self.now() + timedelta(milliseconds=len(issue.comments))
        comment = Comment(
            id=self.next_id(),
            author=author,
            body=body,
            created=moment,
            updated=moment,
            visibility=visibility,
            public=public,
        )
        issue.comments.append(comment)
        issue.updated = max(issue.updated, moment)
        return comment

    def add_field(self, name: str, kind: str = "string") -> CustomField:
        added = CustomField(id=f"customfield_{self.next_id()}", name=name, kind=kind)
        self.fields[added.id] = added
        return added

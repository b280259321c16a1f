"""A repository: its settings, who may do what in it, its issues, pull requests and CI."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.ci import ContinuousIntegration
from trunkline_shared.testing.github.conversation import Issue, Pull
from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.tracking import Tracker

Role = Literal["none", "read", "triage", "write", "maintain", "admin"]
ROLES: tuple[Role, ...] = ("none", "read", "triage", "write", "maintain", "admin")


@dataclass(slots=True, kw_only=True, eq=False)
class Repository:
    """A repository. Its owner has the role admin; everybody may read it unless `private`.

    `branches` are those without a pull request, with what each changes; `drafts` says whether the
    owner's plan has draft pull requests, `teams` which teams can be asked for a review.
    """

    ledger: Ledger
    id: int
    owner: User
    name: str
    created_at: datetime
    private: bool = False
    archived: bool = False
    has_issues: bool = True
    default_branch: str = "main"
    description: str | None = None
    drafts: bool = True
    teams: set[str] = field(default_factory=set)
    branches: dict[str, list[ChangedFile]] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    ci: ContinuousIntegration = field(init=False)
    tracker: Tracker = field(init=False)

    def __post_init__(self) -> None:
        self.ci = ContinuousIntegration(ledger=self.ledger)
        self.tracker = Tracker(ledger=self.ledger)

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    def grant(self, user: User, role: Role) -> None:
        """Give `user` a role here."""
        self.roles[user.id] = role

    def role_of(self, user: User | None) -> Role:
        """Return what `user` (None: nobody) may do here at most."""
        if user is not None and user.id == self.owner.id:
            return "admin"
        at_least: Role = "none" if self.private else "read"
        return at_least if user is None else self.roles.get(user.id, at_least)

    def add_issue(
        self,
        title: str,
        author: User | None,
        *,
        body: str | None = None,
        at: datetime | None = None,
    ) -> Issue:
        """Open an issue with the next number."""
        moment = at or self.ledger.now()
        issue = Issue(
            ledger=self.ledger,
            id=self.ledger.next_id(),
            repository_id=self.id,
            number=max(self.issues, default=0) + 1,
            title=title,
            author=author,
            body=body,
            created_at=moment,
            updated_at=moment,
        )
        self.issues[issue.number] = issue
        return issue

    def add_pull(
        self,
        title: str,
        author: User,
        *,
        head: str = "feature",
        body: str | None = None,
        files: Iterable[ChangedFile] = (),
        at: datetime | None = None,
    ) -> Issue:
        """Open a pull request from the branch `head` with the next number."""
        issue = self.add_issue(title, author, body=body, at=at)
        issue.pull = Pull(
            head_ref=head,
            head_sha=self._sha(f"{head} {issue.number}"),
            base_ref=self.default_branch,
            base_sha=self._sha(self.default_branch),
            files=list(files),
        )
        issue.pull.commits.append(issue.pull.head_sha)
        return issue

    def add_branch(self, name: str, *files: ChangedFile) -> None:
        """Push a branch that changes these files; without any it has no commits of its own."""
        self.branches[name] = list(files)

    def has_branch(self, name: str) -> bool:
        """Say whether a branch is there."""
        heads = {one.pull.head_ref for one in self.issues.values() if one.pull is not None}
        return name in {self.default_branch, *self.branches, *heads}

    def push(self, issue: Issue, *files: ChangedFile, forced: bool = False) -> str:
        """Give a pull request a new head with these files; `forced` forgets the commits before.

        Comments whose line is no longer shown become outdated. Returns the new head.
        """
        pull = issue.pull
        assert pull is not None
        pull.earlier[pull.head_sha] = pull.files
        pull.head_sha = self._sha(f"{pull.head_ref} {issue.number} {self.ledger.next_id()}")
        pull.commits = [] if forced else pull.commits
        pull.commits.append(pull.head_sha)
        pull.files = list(files)
        by_path = {one.path: one for one in files}
        for comment in issue.review_comments:
            shown = by_path.get(comment.path)
            line = comment.line
            if line is not None and (shown is None or shown.hunk_of(comment.side, line) is None):
                comment.line = comment.start_line = None
        return pull.head_sha

    def _sha(self, of: str) -> str:
        return hashlib.sha1(f"{self.id} {of}".encode(), usedforsecurity=False).hexdigest()

"""All that the stand-in holds: accounts, repositories, apps, tokens, and where things moved."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from trunkline_shared.testing.github.conversation import Issue, IssueComment, ReviewComment
from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.log_links import LogLinks
from trunkline_shared.testing.github.people import (
    ANONYMOUS_LIMIT,
    App,
    Budget,
    Installation,
    Token,
    User,
    new_budget,
)
from trunkline_shared.testing.github.repository import Repository

AccountKind = Literal["User", "Bot", "Organization"]


def _anonymous() -> Budget:
    return new_budget(ANONYMOUS_LIMIT)


@dataclass(slots=True, kw_only=True, eq=False)
class State:
    """The data of a stand-in; tests seed it with the `add_` methods and may change anything.

    With `tells_minimized` false, REST leaves `minimized` out, as older Enterprise Servers do. With
    `search_is_incomplete`, searches say that they ran out of time.
    """

    ledger: Ledger
    log_links: LogLinks
    users: dict[str, User] = field(default_factory=dict)
    repositories: dict[int, Repository] = field(default_factory=dict)
    installations: dict[int, Installation] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    former_names: dict[str, int] = field(default_factory=dict)
    anonymous: Budget = field(default_factory=_anonymous)
    tells_minimized: bool = True
    search_is_incomplete: bool = False
    apps: Budget = field(default_factory=new_budget)

    def add_user(self, login: str, kind: AccountKind = "User") -> User:
        user = User(id=self.ledger.next_id(), login=login, kind=kind)
        self.users[login.lower()] = user
        return user

    def add_repository(self, full_name: str, *, private: bool = False) -> Repository:
        """Add `owner/name`; an owner that is not there yet becomes an organization."""
        login, _, name = full_name.partition("/")
        owner = self.users.get(login.lower()) or self.add_user(login, "Organization")
        repository = Repository(
            ledger=self.ledger,
            id=self.ledger.next_id(),
            owner=owner,
            name=name,
            created_at=self.ledger.now(),
            private=private,
        )
        self.repositories[repository.id] = repository
        return repository

    def rename(self, repository: Repository, name: str) -> None:
        """Rename a repository; its old name answers with a redirect from now on."""
        self.former_names[repository.full_name.lower()] = repository.id
        repository.name = name

    def transfer(self, issue: Issue, to: Repository) -> Issue:
        """Move an issue to another repository; its old number answers with a redirect."""
        moved = to.add_issue(issue.title, issue.author, body=issue.body)
        moved.comments = issue.comments
        for comment in moved.comments:
            comment.issue = moved
        issue.comments = []
        issue.transferred_to = moved
        return moved

    def add_token(
        self,
        user: User,
        name: str,
        *,
        permissions: Mapping[str, str] | None = None,
        repositories: Iterable[Repository] | None = None,
        refused_for_s: float = 0,
    ) -> Token:
        """Add a personal token: classic, or fine-grained when `permissions` is given.

        Its secret is the name with `-token` after it. For its first `refused_for_s` seconds it is
        answered with 401.
        """
        reach = None if repositories is None else frozenset(one.id for one in repositories)
        token = Token(
            secret=f"{name}-token",
            name=name,
            user=user,
            budget=user.budget,
            permissions=permissions,
            repositories=reach,
            valid_from=self.ledger.clock.now() + refused_for_s,
        )
        self.tokens[token.secret] = token
        return token

    def add_installation(
        self,
        slug: str,
        account: User,
        *,
        public_key: str,
        permissions: Mapping[str, str],
    ) -> Installation:
        """Install a new App on `account`; `public_key` (PEM) verifies what the App signs."""
        app_id = self.ledger.next_id()
        app = App(
            id=app_id,
            client_id=f"Iv1.{app_id:016x}",
            slug=slug,
            owner=account,
            bot=self.add_user(f"{slug}[bot]", "Bot"),
            public_key=public_key,
        )
        installation = Installation(
            id=self.ledger.next_id(), app=app, account=account, permissions=permissions
        )
        self.installations[installation.id] = installation
        return installation

    def repository_named(self, full_name: str) -> Repository | None:
        """Return the repository that has this name now; GitHub ignores case."""
        wanted = full_name.lower()
        found = (one for one in self.repositories.values() if one.full_name.lower() == wanted)
        return next(found, None)

    def issue_comments(self, repository: Repository) -> Iterator[IssueComment]:
        for issue in repository.issues.values():
            yield from issue.comments

    def review_comments(self, repository: Repository) -> Iterator[ReviewComment]:
        for issue in repository.issues.values():
            yield from issue.review_comments

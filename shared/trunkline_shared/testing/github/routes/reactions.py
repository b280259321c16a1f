"""Reactions to issues, comments and review comments."""

from collections.abc import Callable
from dataclasses import dataclass

from trunkline_shared.testing.github.access import (
    issue_of,
    repository_of,
    require_read,
    require_write,
)
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import (
    CONTENTS,
    Issue,
    IssueComment,
    Reaction,
    ReviewComment,
)
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.conversations import reaction
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes import issue_comments, review_comments
from trunkline_shared.testing.github.routes.repositories import REPOSITORY

Subject = Issue | IssueComment | ReviewComment


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionsTo:
    """The reactions to one kind of subject, which `find` looks up."""

    path: str
    find: Callable[[Call, Repository], Subject]

    def routes(self) -> tuple[Route, ...]:
        return (
            Route(method="GET", path=self.path, handle=self.list_all),
            Route(method="POST", path=self.path, handle=self.create),
            Route(method="DELETE", path=self.path + "/{reaction_id}", handle=self.delete),
        )

    def list_all(self, call: Call) -> Answer:
        home = repository_of(call)
        require_read(call, home)
        wanted = call.query.get("content")
        given = [r for r in self.find(call, home).reactions if wanted in {None, r.content}]
        address = call.urls.api + call.target.partition("?")[0]
        shown, links = page_of(call, given, address)
        return Answer(json=[reaction(one, call.urls) for one in shown], headers=links)

    def create(self, call: Call) -> Answer:
        """Add the caller's reaction: 201 when it is new, 200 when it was there."""
        home = repository_of(call)
        token = require_write(call, home)
        subject = self.find(call, home)
        content = _content(call)
        for one in subject.reactions:
            if one.user is token.user and one.content == content:
                return Answer(json=reaction(one, call.urls))
        ledger = call.state.ledger
        new = Reaction(
            id=ledger.next_id(), user=token.user, content=content, created_at=ledger.now()
        )
        subject.reactions.append(new)
        return Answer(status=201, json=reaction(new, call.urls))

    def delete(self, call: Call) -> Answer:
        """Remove a reaction, which only the one who gave it may."""
        home = repository_of(call)
        token = require_write(call, home)
        subject = self.find(call, home)
        wanted = int(call.path["reaction_id"])
        found = next((one for one in subject.reactions if one.id == wanted), None)
        if found is None or found.user is not token.user:
            raise Refusal(404, "Not Found")
        subject.reactions.remove(found)
        return Answer(status=204)


def _content(call: Call) -> str:
    content = call.body.get("content")
    if not isinstance(content, str) or content not in CONTENTS:
        error = {"resource": "Reaction", "code": "invalid", "field": "content"}
        raise Refusal(422, "Validation Failed", errors=[error])
    return content


KINDS = (
    ReactionsTo(path=REPOSITORY + "/issues/{issue_number}/reactions", find=issue_of),
    ReactionsTo(path=issue_comments.ONE + "/reactions", find=issue_comments.comment_of),
    ReactionsTo(path=review_comments.ONE + "/reactions", find=review_comments.comment_of),
)
ROUTES = tuple(route for kind in KINDS for route in kind.routes())

"""Which comments are minimised, where REST does not say it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

from trunkline_comment.hidden import minimised
from trunkline_shared.errors import PermissionDenied
from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import IssueComment
from trunkline_shared.github.repository import Repositories
from trunkline_shared.github.tokens.token import Token
from trunkline_shared.sink import Sink

pytestmark = pytest.mark.anyio
T = TypeVar("T")


@dataclass(frozen=True)
class OlderServer:
    """Answers GraphQL from memory, or refuses it."""

    answer: bytes | None
    asked: list[object] = field(default_factory=list)

    async def perform(self, endpoint: Endpoint[T]) -> T:
        self.asked.append(endpoint.request.json)
        if self.answer is None:
            raise PermissionDenied("no GraphQL for this token")
        return endpoint.read(Response(status=200, headers={}, body=self.answer, url="/graphql"))

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T:
        raise AssertionError(f"{endpoint.request.path} was streamed")


class NoToken:
    async def get(self) -> Token:
        return Token(value="x", source="test")

    async def renewed(self, refused: Token, *, status: int, refusals: int) -> Token | None:
        return None


def over(server: OlderServer) -> GitHub:
    return GitHub(transport=server, tokens=NoToken(), repositories=Repositories())


def comment(number: int, **more: object) -> IssueComment:
    moment = "2025-01-01T00:00:00Z"
    return IssueComment.model_validate({
        "id": number,
        "node_id": f"IC_{number}",
        "html_url": "",
        "issue_url": "https://api.github.com/repos/a/b/issues/1",
        "created_at": moment,
        "updated_at": moment,
        **more,
    })


async def test_what_rest_says_is_not_asked_again() -> None:
    """`minimized` is there, null or not."""
    server = OlderServer(None)
    page = [comment(1, minimized=None), comment(2, minimized={"reason": "spam"})]
    assert await minimised(over(server), page, ask=True) == {1: False, 2: True}
    assert not server.asked


async def test_what_rest_leaves_out_is_asked_by_graphql_if_it_matters() -> None:
    """One query for the page; a node that GraphQL does not know stays unknown."""
    server = OlderServer(b'{"data": {"nodes": [{"id": "IC_1", "isMinimized": true}, null]}}')
    page = [comment(1), comment(2)]
    assert await minimised(over(server), page, ask=True) == {1: True, 2: None}
    assert await minimised(over(server), page, ask=False) == {1: None, 2: None}
    assert len(server.asked) == 1


async def test_a_failure_of_graphql_leaves_it_unknown() -> None:
    """A list of comments is worth more than the filter."""
    assert await minimised(over(OlderServer(None)), [comment(1)], ask=True) == {1: None}

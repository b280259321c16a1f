"""Pages are followed to their end or cap, and never to another host."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

from tests.unit.trunkline_shared.github.answers import answer
from trunkline_shared.errors import BlockedByPolicy, CredentialsMissing, PermissionDenied
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.allowed import AllowedRepositories
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.reading import page
from trunkline_shared.github.repository import Repositories
from trunkline_shared.github.tokens.token import Token, missing, token
from trunkline_shared.sink import Sink
from trunkline_shared.vendor.page import Page
from trunkline_shared.vendor.paging import PAGE_CAP

pytestmark = pytest.mark.anyio

T = TypeVar("T")


@dataclass
class Numbers:
    """Answers addresses from a table and remembers what was asked."""

    answers: Mapping[str, Response]
    asked: list[str] = field(default_factory=list)

    async def perform(self, endpoint: Endpoint[T]) -> T:
        path = endpoint.request.path
        self.asked.append(path)
        return endpoint.read(self.answers.get(path) or self.answers["*"])

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T:
        raise AssertionError(f"{endpoint.request.path} was streamed")


@dataclass
class Tokens:
    """A token that a test changes, or none."""

    value: str = "t"

    async def get(self) -> Token:
        if not self.value:
            raise missing()
        return token(self.value, "a test")

    async def renewed(self, refused: Token, *, status: int, refusals: int) -> Token | None:
        return None


def github(
    answers: Mapping[str, Response],
    tokens: Tokens | None = None,
    repositories: Repositories | None = None,
) -> tuple[GitHub, Numbers]:
    numbers = Numbers(answers)
    return (
        GitHub(
            transport=numbers,
            tokens=tokens or Tokens(),
            repositories=repositories or Repositories(),
        ),
        numbers,
    )


def listing(next_url: str | None, *items: int) -> Response:
    link = {"link": f'<{next_url}>; rel="next"'} if next_url else {}
    return answer(200, list(items), **link)


FIRST: Endpoint[Page[int]] = Endpoint(
    request=Request(method="GET", path="/list", query=(("per_page", "2"),)),
    read=page(int),
    repeatable=True,
)
THREE = {
    "/list": listing("https://x/2", 1, 2),
    "https://x/2": listing("https://x/3", 3, 4),
    "https://x/3": listing(None, 5),
}


async def test_pages_are_followed_to_the_end() -> None:
    """By the links alone; no page address is made up."""
    client, numbers = github(THREE)
    collected = await client.collect(FIRST, limit=100)
    assert (collected.items, collected.truncated) == ((1, 2, 3, 4, 5), False)
    assert numbers.asked == ["/list", "https://x/2", "https://x/3"]


@pytest.mark.parametrize(
    ("limit", "items", "requests"),
    [(1, (1,), 1), (2, (1, 2), 1), (3, (1, 2, 3), 2), (4, (1, 2, 3, 4), 2)],
)
async def test_a_cap_never_looks_like_the_end(
    limit: int, items: tuple[int, ...], requests: int
) -> None:
    """`truncated` says that there is more, and no page too many is asked."""
    client, numbers = github(THREE)
    collected = await client.collect(FIRST, limit=limit)
    assert (collected.items, collected.truncated) == (items, True)
    assert len(numbers.asked) == requests


async def test_exactly_the_limit_is_not_truncated() -> None:
    """The end is the end."""
    client, _ = github(THREE)
    assert not (await client.collect(FIRST, limit=5)).truncated


async def test_an_endless_list_ends_at_the_page_cap() -> None:
    """A link that leads to itself is no way to hang."""
    client, numbers = github({"*": listing("https://x/again")})
    collected = await client.collect(FIRST, limit=10)
    assert (collected.items, collected.truncated) == ((), True)
    assert len(numbers.asked) == PAGE_CAP


async def test_missing_credentials_come_before_anything_about_the_repository() -> None:
    """CREDENTIALS_MISSING, although the repository is not allowed either."""
    nothing, _ = github({}, Tokens(""), Repositories(allowed=AllowedRepositories(("acme/*",))))
    with pytest.raises(CredentialsMissing):
        await nothing.repository("octo", "cat")
    with_token, _ = github({}, Tokens("t"), Repositories(allowed=AllowedRepositories(("acme/*",))))
    with pytest.raises(BlockedByPolicy):
        await with_token.repository("octo", "cat")
    assert (await with_token.repository("acme", "x")).slug == "acme/x"


async def test_the_login_of_a_person_is_asked_once_per_credential() -> None:
    """It is remembered while the token stays the same."""
    tokens = Tokens()
    client, numbers = github({"/user": answer(200, {"login": "octocat", "id": 1})}, tokens)
    assert await client.login() == "octocat"
    assert await client.login() == "octocat"
    assert numbers.asked == ["/user"]
    tokens.value = "another"
    await client.login()
    assert numbers.asked == ["/user", "/user"]


async def test_the_login_of_an_app_or_workflow_is_asked_through_graphql() -> None:
    """REST refuses `GET /user` to them."""
    refused = answer(403, {"message": "Resource not accessible by integration"})
    viewed = answer(200, {"data": {"viewer": {"login": "trunkline[bot]"}}})
    client, numbers = github({"/user": refused, "/graphql": viewed})
    assert await client.login() == "trunkline[bot]"
    assert numbers.asked == ["/user", "/graphql"]
    with pytest.raises(PermissionDenied):
        await github({"*": refused})[0].login()

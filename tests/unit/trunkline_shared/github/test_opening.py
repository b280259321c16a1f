"""A GitHub opened from settings: every rule together, over a real socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.unit.trunkline_shared.github.answers import COMMENT
from tests.unit.trunkline_shared.http.scripted import CUT, HANG, Answer, Vendor, json, vendor
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import (
    AuthError,
    CredentialsMissing,
    NotFound,
    Overloaded,
    PermissionDenied,
    RateLimited,
    TokenExpired,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.opening import USER_AGENT, open_github
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.github.tokens.token import Token, token
from trunkline_shared.github.viewer import viewer
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

HERE = Repository("o", "r")
GET = comments.get_issue_comment(HERE, 5)
CREATE = comments.create_issue_comment(HERE, 7, "hello")
UPDATE = comments.update_issue_comment(HERE, 5, "hello")
LIMITED = json({"message": "x"}, 403, X_RateLimit_Remaining="0", Retry_After="3000")
UNAUTHORIZED = json({"message": "Bad credentials"}, 401)


@dataclass
class Tokens:
    """Tokens in a row: a refused one is followed by the next."""

    values: tuple[str, ...] = ("one",)
    at: int = 0
    renewable: bool = False

    async def get(self) -> Token:
        return token(self.values[self.at], "a test", renewable=self.renewable)

    async def renewed(self, refused: Token, *, status: int, refusals: int) -> Token | None:
        if status != 401 or self.at + 1 >= len(self.values):
            return None
        self.at += 1
        return await self.get()


@asynccontextmanager
async def github(
    *answers: Answer,
    tokens: Tokens | None = None,
    clock: FakeClock | None = None,
    version: str = "",
    concurrency: int = 10,
) -> AsyncIterator[tuple[GitHub, Vendor]]:
    async with vendor(*answers) as there:
        settings = GitHubSettings(
            github_api_url=there.url, github_api_version=version, github_concurrency=concurrency
        )
        time = clock or FakeClock()
        store = in_process_store(time)
        opened = open_github(settings, store, tokens=tokens or Tokens(), clock=time)
        async with opened as client:
            with anyio.fail_after(10):
                yield client, there


async def failure(client: GitHub, endpoint: object = GET) -> TrunklineError:
    with pytest.raises(TrunklineError) as caught:
        await client.fetch(endpoint)  # type: ignore[arg-type] # what it reads does not matter
    return caught.value


async def test_every_request_carries_what_github_asks_for() -> None:
    """Bearer, media type, version, and a product with its version."""
    async with github(json(COMMENT)) as (client, there):
        assert (await client.fetch(GET)).body == "hello"
    (seen,) = there.seen
    assert (seen.method, seen.target) == ("GET", "/repos/o/r/issues/comments/5")
    assert seen.headers["authorization"] == "Bearer one"
    assert seen.headers["accept"] == "application/vnd.github+json"
    assert seen.headers["x-github-api-version"] == "2022-11-28"
    assert seen.headers["user-agent"] == USER_AGENT
    assert USER_AGENT.startswith("trunkline/")


async def test_a_newer_api_version_is_configuration() -> None:
    """Nothing else changes with it."""
    async with github(json(COMMENT), version="2026-03-10") as (client, there):
        await client.fetch(GET)
    assert there.seen[0].headers["x-github-api-version"] == "2026-03-10"


@pytest.mark.requirement("github.redirects")
async def test_a_page_link_to_another_host_gets_no_token() -> None:
    """UPSTREAM_UNAVAILABLE, and that host is never asked."""
    async with vendor(json([])) as evil:
        link = f'<{evil.url}/page>; rel="next"'
        async with github(json([COMMENT], Link=link)) as (client, _):
            with pytest.raises(UpstreamUnavailable, match="must not leave"):
                await client.collect(comments.list_issue_comments(HERE, 7), limit=10)
    assert evil.seen == []


async def test_a_page_link_of_this_host_is_followed_with_the_token() -> None:
    """GitHub's links name repositories by number."""
    async with github(json([COMMENT])) as (client, there):
        link = f'<{there.url}/repositories/1/issues/7/comments?page=2>; rel="next"'
        there.answers = [json([COMMENT], Link=link), json([COMMENT])]
        collected = await client.collect(comments.list_issue_comments(HERE, 7), limit=10)
    assert len(collected.items) == 2
    assert there.seen[1].target == "/repositories/1/issues/7/comments?page=2"
    assert there.seen[1].headers["authorization"] == "Bearer one"


@pytest.mark.requirement("github.retry")
async def test_a_read_survives_a_failing_vendor() -> None:
    """502, 503, then the answer; without real waiting."""
    clock = FakeClock()
    down = (Answer(status=502), Answer(status=503))
    async with github(*down, json(COMMENT), clock=clock) as (client, there):
        assert (await client.fetch(GET)).id == 5
    assert len(there.seen) == 3
    assert len(clock.slept) == 2


async def test_a_read_survives_a_cut_connection() -> None:
    """Whoever sends it again, the HTTP library or we."""
    async with github(CUT, json(COMMENT)) as (client, there):
        assert (await client.fetch(GET)).id == 5
    assert len(there.seen) == 2


@pytest.mark.requirement("github.retry")
@pytest.mark.parametrize("fault", [CUT, Answer(status=504)])
async def test_a_comment_is_not_posted_twice(fault: Answer) -> None:
    """The second attempt would be the duplicate: TIMEOUT, `may_have_happened`, not retryable."""
    async with github(fault, json(COMMENT, 201)) as (client, there):
        error = await failure(client, CREATE)
    assert isinstance(error, UpstreamTimeout)
    assert error.details["may_have_happened"] is True
    assert not error.retryable
    assert len(there.seen) == 1


async def test_an_edit_is_sent_again_after_a_cut() -> None:
    """The same text twice is the same text."""
    async with github(CUT, json(COMMENT)) as (client, there):
        await client.fetch(UPDATE)
    assert [seen.body for seen in there.seen] == [b'{"body":"hello"}'] * 2


@pytest.mark.requirement("github.conditional")
async def test_an_unchanged_answer_is_confirmed_instead_of_sent() -> None:
    """The second request carries the validators; the 304 costs no quota."""
    first = json(COMMENT, ETag='"1"', Last_Modified="Mon, 01 Jan 2026 00:00:00 GMT")
    async with github(first, Answer(status=304, body=b"")) as (client, there):
        assert await client.fetch(GET) == await client.fetch(GET)
    assert there.seen[1].headers["if-none-match"] == '"1"'
    assert there.seen[1].headers["if-modified-since"] == "Mon, 01 Jan 2026 00:00:00 GMT"


@pytest.mark.requirement("github.conditional")
async def test_an_answer_is_not_confirmed_for_another_token() -> None:
    """ETags are the token's own."""
    tokens = Tokens(("one", "two"))
    async with github(json(COMMENT, ETag='"1"'), tokens=tokens) as (client, there):
        await client.fetch(GET)
        tokens.at = 1
        await client.fetch(GET)
    assert "if-none-match" not in there.seen[1].headers
    assert there.seen[1].headers["authorization"] == "Bearer two"


@pytest.mark.requirement("github.limits")
async def test_after_a_limit_nothing_is_sent_until_it_has_passed() -> None:
    """The remaining wait is told each time, and the quota is named for the router."""
    clock = FakeClock()
    async with github(LIMITED, json(COMMENT), clock=clock) as (client, there):
        first = await failure(client)
        clock.advance(1000)
        second = await failure(client, UPDATE)
        assert (first.retry_after, second.retry_after) == (3000, 2000)
        assert len(there.seen) == 1
        clock.advance(2000)
        assert (await client.fetch(GET)).id == 5
    assert isinstance(first, RateLimited)
    credential = token("one", "").fingerprint
    throttle = first.details["throttle"]
    assert throttle == {"credential": credential, "resource": "core", "kind": "primary"}
    assert "one" not in str(throttle).split("'")


async def test_a_short_limit_is_waited_for() -> None:
    """It fits into the call."""
    clock = FakeClock()
    limited = json({"message": "secondary rate limit"}, 429, Retry_After="2")
    async with github(limited, json(COMMENT, 201), clock=clock) as (client, there):
        assert (await client.fetch(CREATE)).id == 5
    assert clock.slept == [2]
    assert len(there.seen) == 2


@pytest.mark.requirement("github.tokens")
async def test_a_refused_token_is_replaced_once() -> None:
    """Somebody rotated it while we were asking."""
    tokens = Tokens(("one", "two"))
    async with github(UNAUTHORIZED, json(COMMENT), tokens=tokens) as (client, there):
        await client.fetch(GET)
    sent = [seen.headers["authorization"] for seen in there.seen]
    assert sent == ["Bearer one", "Bearer two"]


@pytest.mark.parametrize(("renewable", "kind"), [(False, AuthError), (True, TokenExpired)])
async def test_a_token_without_a_better_one_stays_refused(
    kind: type[TrunklineError], *, renewable: bool
) -> None:
    """AUTH_ERROR for a given token, TOKEN_EXPIRED for one that the mesh mints."""
    async with github(UNAUTHORIZED, tokens=Tokens(renewable=renewable)) as (client, there):
        error = await failure(client)
    assert type(error) is kind
    assert len(there.seen) == 1


@pytest.mark.parametrize("message", ["issue is locked.", "Repository was archived"])
async def test_a_refusal_that_no_token_cures_is_final(message: str) -> None:
    """A locked conversation is locked for all."""
    refused = json({"message": message}, 403)
    async with github(refused, tokens=Tokens(("one", "two"))) as (client, there):
        assert isinstance(await failure(client, CREATE), PermissionDenied)
    assert len(there.seen) == 1


async def test_writes_are_a_second_apart_and_queries_are_not() -> None:
    """A GraphQL question is no write, although it is a POST."""
    clock = FakeClock()
    asked = json({"data": {"viewer": {"login": "x"}}})
    answers = (json(COMMENT), json(COMMENT), asked)
    async with github(*answers, clock=clock) as (client, _):
        await client.fetch(UPDATE)
        await client.fetch(UPDATE)
        assert clock.slept == [1]
        await client.fetch(viewer())
        await client.fetch(viewer())
    assert clock.slept == [1]


async def test_no_more_than_ten_requests_are_in_flight() -> None:
    """The others wait for a place and lose nothing."""
    async with github(json(COMMENT)) as (client, there):
        found = await asyncio.gather(*(client.fetch(GET) for _ in range(40)))
    assert len(found) == len(there.seen) == 40
    assert there.most_at_once <= 10


async def test_a_request_without_a_place_in_time_is_refused() -> None:
    """OVERLOADED, and nothing of it was sent."""
    async with github(HANG, concurrency=1) as (client, there), asyncio.TaskGroup() as tasks:
        hanging = tasks.create_task(client.fetch(GET))
        await there.arrived.wait()
        with deadline_in(0.05):
            assert isinstance(await failure(client), Overloaded)
        hanging.cancel()
    assert len(there.seen) == 1


async def test_a_token_that_does_not_come_in_time_is_not_waited_for() -> None:
    """TIMEOUT, and nothing was sent."""

    class Slow(Tokens):
        async def get(self) -> Token:
            await asyncio.Event().wait()
            raise AssertionError

    async with github(json(COMMENT), tokens=Slow()) as (client, there):
        with deadline_in(0.05):
            error = await failure(client, CREATE)
    assert (type(error), error.details["phase"]) == (UpstreamTimeout, "held")
    assert there.seen == []


async def test_a_renamed_repository_is_found_by_a_read_and_refused_to_a_write() -> None:
    """The write says what to do instead."""
    moved = Answer(status=307, headers={"Location": "/repositories/1/issues/comments/5"})
    async with github(moved, json(COMMENT)) as (client, _):
        assert (await client.fetch(GET)).id == 5
    async with github(moved) as (client, there):
        error = await failure(client, UPDATE)
    assert (type(error), error.details["reason"]) == (NotFound, "moved")
    assert len(there.seen) == 1


async def test_no_failure_holds_the_token() -> None:
    """Not even when the vendor echoes it."""
    secret = "ghp_" + "a1B2" * 9
    echo = json({"message": f"bad Authorization: Bearer {secret}"}, 422)
    async with github(echo, tokens=Tokens((secret,))) as (client, _):
        error = await failure(client, UPDATE)
    assert secret not in f"{error.message} {error.hint} {error.details}"


@pytest.fixture
def no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> pytest.MonkeyPatch:
    for variable in ("GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN_FILE", "GH_TOKEN_FILE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setenv("NETRC", f"{tmp_path}/netrc")
    return monkeypatch


async def test_without_credentials_nothing_is_sent(no_credentials: pytest.MonkeyPatch) -> None:
    """CREDENTIALS_MISSING names the variable; a token set later counts at once."""
    async with vendor(json(COMMENT)) as there:
        settings = GitHubSettings(github_api_url=there.url)
        async with open_github(settings, in_process_store()) as client:
            with pytest.raises(CredentialsMissing, match="GITHUB_TOKEN"):
                await client.fetch(GET)
            with pytest.raises(CredentialsMissing):
                await client.repository("", "")
            assert there.seen == []
            no_credentials.setenv("GITHUB_TOKEN", "later")
            await client.fetch(GET)
    assert there.seen[0].headers["authorization"] == "Bearer later"


@pytest.mark.requirement("github.tokens")
async def test_an_app_mints_its_token_and_asks_with_it(
    no_credentials: pytest.MonkeyPatch,
) -> None:
    """The JWT goes to the minting alone, the token to everything else."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    no_credentials.setenv("TRUNKLINE_GITHUB_APP_PRIVATE_KEY", pem.replace("\n", "\\n"))
    minted = json({"token": "ghs_x", "expires_at": "2099-01-01T00:00:00Z"}, 201)
    async with vendor(Answer(status=502), minted, json(COMMENT, 201)) as there:
        settings = GitHubSettings(
            github_api_url=there.url, github_app_id="1", github_app_installation_id="42"
        )
        clock = FakeClock()
        async with open_github(settings, in_process_store(clock), clock=clock) as client:
            await client.fetch(CREATE)
            await client.fetch(CREATE)
    sent = [(seen.target, seen.headers["authorization"].split(".")[0]) for seen in there.seen]
    assert [target for target, _ in sent[:2]] == ["/app/installations/42/access_tokens"] * 2
    assert all(value.startswith("Bearer eyJ") for _, value in sent[:2])
    assert sent[2:] == [("/repos/o/r/issues/7/comments", "Bearer ghs_x")] * 2

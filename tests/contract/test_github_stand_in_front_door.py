"""What GitHub does with every request: identity, version, limits, conditional requests."""

import aiohttp
import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import Demo, GitHubStandIn

pytestmark = pytest.mark.anyio

REPO = "/repos/acme/widgets"


async def test_a_user_agent_is_compulsory(writer: Caller) -> None:
    """Without one, GitHub answers 403."""
    async with aiohttp.ClientSession(skip_auto_headers=["User-Agent"]) as nameless:
        reply = await Caller(session=nameless, base=writer.base).ask("GET", REPO)
    assert reply.status == 403
    assert "User-Agent" in reply.json["message"]


async def test_an_unknown_version_is_400(writer: Caller) -> None:
    """The versions that exist are named in the answer."""
    reply = await writer.ask("GET", REPO, X_GitHub_Api_Version="2031-01-01")
    assert reply.status == 400
    assert "2022-11-28" in reply.json["message"]


async def test_no_version_is_the_first(writer: Caller) -> None:
    """No header means 2022-11-28."""
    reply = await writer.ask("GET", REPO)
    assert reply.headers["X-GitHub-Api-Version-Selected"] == "2022-11-28"


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/vnd.github+json", 200),
        ("application/vnd.github+json, application/json;q=0.9", 200),
        ("*/*", 200),
        ("text/html", 415),
    ],
)
async def test_json_has_to_be_acceptable(writer: Caller, accept: str, status: int) -> None:
    """Any JSON type will do, HTML will not."""
    assert (await writer.ask("GET", REPO, Accept=accept)).status == status


async def test_a_wrong_token_is_401_and_no_token_reads_what_is_public(writer: Caller) -> None:
    """Bad credentials are refused even where none are needed."""
    wrong = await writer.using("nonsense").ask("GET", REPO)
    assert (wrong.status, wrong.json["message"]) == (401, "Bad credentials")
    assert (await writer.using("").ask("GET", REPO)).status == 200
    write = await writer.using("").ask("POST", f"{REPO}/issues/1/comments", {"body": "hi"})
    assert (write.status, write.json["message"]) == (401, "Requires authentication")
    assert (await writer.using("").ask("GET", "/user")).status == 401


async def test_a_revoked_and_an_expired_token_are_401(
    writer: Caller, demo: Demo, clock: FakeClock
) -> None:
    """A token works until it does not."""
    demo.token.revoked = True
    assert (await writer.ask("GET", "/user")).status == 401
    demo.token.revoked = False
    demo.token.expires_at = clock.now() + 60
    assert (await writer.ask("GET", "/user")).status == 200
    clock.advance(60)
    assert (await writer.ask("GET", "/user")).status == 401


async def test_a_brand_new_token_is_refused_for_its_first_seconds(
    github: GitHubStandIn, writer: Caller, demo: Demo, clock: FakeClock
) -> None:
    """A token that has not reached every machine of GitHub is 401 for a moment."""
    fresh = github.state.add_token(demo.token.user, "fresh", refused_for_s=3)
    assert (await writer.using(fresh.secret).ask("GET", "/user")).status == 401
    clock.advance(3)
    assert (await writer.using(fresh.secret).ask("GET", "/user")).status == 200


async def test_each_token_is_its_own_identity(github: GitHubStandIn, writer: Caller) -> None:
    """`/user` names the owner of the token."""
    alice = github.state.add_token(github.state.users["alice"], "alice")
    assert (await writer.ask("GET", "/user")).json["login"] == "demo"
    assert (await writer.using(alice.secret).ask("GET", "/user")).json["login"] == "alice"


async def test_every_answer_has_the_limits_and_an_id_of_its_own(writer: Caller) -> None:
    """x-ratelimit-* count down; x-github-request-id is never the same."""
    replies = [await writer.ask("GET", path) for path in (REPO, f"{REPO}/issues/99", "/user")]
    assert [reply.headers["X-RateLimit-Remaining"] for reply in replies] == ["4999", "4998", "4997"]
    assert [reply.headers["X-RateLimit-Used"] for reply in replies] == ["1", "2", "3"]
    assert {reply.headers["X-RateLimit-Limit"] for reply in replies} == {"5000"}
    assert len({reply.headers["X-GitHub-Request-Id"] for reply in replies}) == 3


async def test_asking_for_the_limit_is_free(writer: Caller) -> None:
    """/rate_limit shows the budget without touching it, even when it is used up."""
    await writer.ask("GET", REPO)
    for _ in range(2):
        core = (await writer.ask("GET", "/rate_limit")).json["resources"]["core"]
        assert (core["remaining"], core["used"]) == (4999, 1)


async def test_a_used_up_budget_refuses_until_its_reset(
    writer: Caller, demo: Demo, clock: FakeClock
) -> None:
    """403, remaining 0, and the reset in epoch seconds; then the hour begins anew."""
    demo.token.budget.exhaust(clock.now() + 30)
    refused = await writer.ask("GET", REPO)
    assert refused.status == 403
    assert refused.headers["X-RateLimit-Remaining"] == "0"
    assert refused.headers["X-RateLimit-Reset"] == str(int(clock.now() + 30))
    assert refused.json["message"].startswith("API rate limit exceeded for user ID")
    assert (await writer.ask("GET", "/rate_limit")).status == 200
    clock.advance(30)
    assert (await writer.ask("GET", REPO)).status == 200


async def test_a_refusal_says_whose_budget_is_used_up(
    github: GitHubStandIn, writer: Caller, demo: Demo, clock: FakeClock
) -> None:
    """A user by id, nobody by address."""
    github.state.anonymous.exhaust(clock.now() + 30)
    demo.token.budget.exhaust(clock.now() + 30)
    nobody = (await writer.using("").ask("GET", REPO)).json["message"]
    user = (await writer.ask("GET", REPO)).json["message"]
    assert "127.0.0.1" in nobody
    assert f"user ID {demo.token.user.id}" in user


async def test_nobody_has_sixty_calls(writer: Caller) -> None:
    """Anonymous calls have a small budget of their own."""
    reply = await writer.using("").ask("GET", REPO)
    assert reply.headers["X-RateLimit-Limit"] == "60"
    assert (await writer.ask("GET", REPO)).headers["X-RateLimit-Remaining"] == "4999"


async def test_an_unchanged_answer_is_304_and_free(writer: Caller) -> None:
    """The entity tag that was given comes back: no body, no count, the tag again."""
    path = f"{REPO}/issues/1/comments"
    first = await writer.ask("GET", path)
    second = await writer.ask("GET", path, If_None_Match=first.headers["ETag"])
    assert (second.status, second.text) == (304, "")
    assert second.headers["ETag"] == first.headers["ETag"]
    assert second.headers["X-RateLimit-Remaining"] == first.headers["X-RateLimit-Remaining"]


async def test_a_write_changes_the_tag_of_what_it_touched(writer: Caller) -> None:
    """After a comment, the list and the issue are sent anew."""
    for path in (f"{REPO}/issues/1/comments?page=2", f"{REPO}/issues/1"):
        before = await writer.ask("GET", path)
        await writer.ask("POST", f"{REPO}/issues/1/comments", {"body": "news"})
        after = await writer.ask("GET", path, If_None_Match=before.headers["ETag"])
        assert after.status == 200
        assert after.headers["ETag"] != before.headers["ETag"]


async def test_a_tag_of_one_token_means_nothing_to_another(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """ETags are specific to the token."""
    other = github.state.add_token(demo.token.user, "other")
    tag = (await writer.ask("GET", REPO)).headers["ETag"]
    reply = await writer.using(other.secret).ask("GET", REPO, If_None_Match=tag)
    assert reply.status == 200


async def test_last_modified_is_an_alternative_for_single_things(
    github: GitHubStandIn, writer: Caller, demo: Demo, clock: FakeClock
) -> None:
    """If-Modified-Since works across tokens, and not after a change."""
    path = f"{REPO}/issues/comments/{demo.issue.comments[0].id}"
    other = github.state.add_token(demo.token.user, "other")
    since = (await writer.ask("GET", path)).headers["Last-Modified"]
    unchanged = await writer.using(other.secret).ask("GET", path, If_Modified_Since=since)
    assert unchanged.status == 304
    clock.advance(5)
    await writer.ask("PATCH", path, {"body": "changed"})
    assert (await writer.ask("GET", path, If_Modified_Since=since)).status == 200


async def test_a_tag_stands_over_a_date(writer: Caller) -> None:
    """With both, only the tag counts (RFC 9110, 13.2.2)."""
    date = (await writer.ask("GET", REPO)).headers["Last-Modified"]
    reply = await writer.ask("GET", REPO, If_None_Match='W/"old"', If_Modified_Since=date)
    assert reply.status == 200


async def test_a_renamed_repository_redirects_to_its_number(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """301 for reads, 307 for writes, with the rest of the path and the query; the target works."""
    github.state.rename(demo.repository, "gadgets")
    read = await writer.ask("GET", f"{REPO}/issues/1/comments?per_page=1")
    assert read.status == 301
    target = f"{github.url}/repositories/{demo.repository.id}/issues/1/comments"
    assert read.headers["Location"] == f"{target}?per_page=1"
    assert len((await writer.ask("GET", read.headers["Location"])).json) == 1
    write = await writer.ask("POST", f"{REPO}/issues/1/comments", {"body": "hi"})
    assert (write.status, write.headers["Location"]) == (307, target)
    assert (await writer.ask("POST", target, {"body": "hi"})).status == 201
    assert (await writer.ask("GET", "/repos/acme/gadgets")).status == 200


async def test_a_renamed_repository_stays_hidden_from_strangers(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """A private repository does not betray itself by a redirect."""
    demo.repository.private = True
    github.state.rename(demo.repository, "gadgets")
    assert (await writer.using("").ask("GET", REPO)).status == 404
    assert (await writer.using("").ask("GET", f"/repositories/{demo.repository.id}")).status == 404
    assert (await writer.ask("GET", "/repositories/1")).status == 404


async def test_it_can_be_an_enterprise_server(demo: Demo, session: aiohttp.ClientSession) -> None:
    """Mounted at /api/v3, every link carries the mount point, and the root has nothing."""
    async with GitHubStandIn(mount="/api/v3/") as server:
        user = server.state.add_user("octo")
        issue = server.state.add_repository("acme/widgets").add_issue("One", user)
        issue.add_comment("1", user)
        issue.add_comment("2", user)
        anyone = Caller(session=session, base=server.url)
        assert server.url.endswith("/api/v3")
        reply = await anyone.ask("GET", f"{REPO}/issues/1/comments?per_page=1")
        assert reply.json[0]["url"].startswith(f"{server.url}/repos/")
        assert f"<{server.url}/repositories/" in reply.headers["Link"]
        outside = await anyone.ask("GET", server.url.removesuffix("/api/v3") + REPO)
        assert outside.status == 404
        assert server.requests[0].path == f"{REPO}/issues/1/comments"

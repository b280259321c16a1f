"""Basecamp's front door, pages and facts, as the stand-in has them."""

import re
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.contract.caller import Caller, Reply
from trunkline_shared.testing.basecamp import (
    Account,
    BasecampStandIn,
    Project,
    account_limit,
    rate_limited,
)
from trunkline_shared.testing.basecamp.grants import Grants
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


@pytest.fixture
async def basecamp(clock: FakeClock) -> AsyncIterator[BasecampStandIn]:
    async with BasecampStandIn(clock=clock) as stand_in:
        yield stand_in


@pytest.fixture
def account(basecamp: BasecampStandIn) -> Account:
    return basecamp.state.add_account("Acme")


@pytest.fixture
def project(account: Account) -> Project:
    return account.add_project("Widgets")


@pytest.fixture
def robin(basecamp: BasecampStandIn, account: Account, session: aiohttp.ClientSession) -> Caller:
    """Somebody in the account, with a token."""
    person = account.add_person("Robin Reader")
    token = basecamp.state.add_token(person, "robin")
    return Caller(session=session, base=f"{basecamp.url}/{account.id}", token=token.secret)


def next_of(reply: Reply) -> str:
    """Return where the `Link` header leads, or an empty text."""
    found = re.fullmatch(r'<([^>]+)>; rel="next"', reply.headers.get("Link", ""))
    return found[1] if found else ""


async def test_who_names_no_product_is_refused(robin: Caller) -> None:
    """400 before anything else."""
    reply = await robin.using("wrong").ask("GET", "/projects.json", User_Agent="")
    assert reply.status == 400
    assert "User-Agent" in reply.json["error"]


async def test_a_token_that_is_wrong_expired_or_missing_is_refused(
    basecamp: BasecampStandIn, robin: Caller
) -> None:
    """401 with an error and a challenge; the log names no secret."""
    basecamp.state.tokens[robin.token].expired = True
    for token in ("", "wrong", robin.token):
        reply = await robin.using(token).ask("GET", "/projects.json")
        assert reply.status == 401
        assert "error" in reply.json
        assert "invalid_token" in reply.headers["WWW-Authenticate"]
    assert {one.headers.get("authorization", "") for one in basecamp.requests} <= {
        "",
        "unknown",
        "robin",
    }


async def test_tokens_of_the_authorization_server_are_taken_while_they_last(
    basecamp: BasecampStandIn, account: Account, robin: Caller
) -> None:
    """An access token that was renewed is none any more."""
    grants = Grants()
    basecamp.state.grants, basecamp.state.grantee = grants, next(iter(account.people.values()))
    granted = grants.authorize()
    caller = robin.using(granted.access_token)
    assert (await caller.ask("GET", "/projects.json")).status == 200
    grants.expire(granted.access_token)
    assert (await caller.ask("GET", "/projects.json")).status == 401


async def test_another_account_is_not_found_and_an_inactive_one_says_why(
    basecamp: BasecampStandIn, account: Account, robin: Caller
) -> None:
    """The reason stands in a header."""
    other = basecamp.state.add_account("Other")
    reply = await robin.ask("GET", f"{basecamp.url}/{other.id}/projects.json")
    assert (reply.status, reply.headers.get("Reason")) == (404, None)
    account.inactive = True
    reply = await robin.ask("GET", "/projects.json")
    assert (reply.status, reply.headers["Reason"]) == (404, "Account Inactive")


async def test_there_is_no_way_to_write(basecamp: BasecampStandIn, robin: Caller) -> None:
    """Whatever a client sends other than GET finds nothing, and is in the log."""
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert (await robin.ask(method, "/projects.json", json={"name": "x"})).status == 404
    assert [one.method for one in basecamp.requests] == ["POST", "PUT", "PATCH", "DELETE"]


async def test_pages_are_geared(account: Account, project: Project, robin: Caller) -> None:
    """15, 30, 50, then 100 each; each tells how many there are, all but the last what is next."""
    board = project.tool("message_board")
    for number in range(250):
        account.add_message(board, str(number), None)
    sizes, titles = [], []
    url = f"/message_boards/{board.id}/messages.json?direction=asc"
    while url:
        reply = await robin.ask("GET", url)
        assert reply.headers["X-Total-Count"] == "250"
        sizes.append(len(reply.json))
        titles += [one["title"] for one in reply.json]
        url = next_of(reply)
        assert not url or "direction=asc" in url
    assert sizes == [15, 30, 50, 100, 55]
    assert titles == [str(number) for number in range(250)]
    beyond = await robin.ask("GET", f"/message_boards/{board.id}/messages.json?page=9")
    assert (beyond.json, next_of(beyond)) == ([], "")
    nonsense = await robin.ask("GET", f"/message_boards/{board.id}/messages.json?page=many")
    assert len(nonsense.json) == 15


async def test_what_has_not_changed_is_answered_with_304(
    account: Account, project: Project, robin: Caller
) -> None:
    """By its entity tag, which belongs to one token."""
    url = f"/projects/{project.id}.json"
    etag = (await robin.ask("GET", url)).headers["ETag"]
    again = await robin.ask("GET", url, If_None_Match=etag)
    assert (again.status, again.text) == (304, "")
    project.name = "Gadgets"
    assert (await robin.ask("GET", url, If_None_Match=etag)).json["name"] == "Gadgets"


async def test_projects_are_listed_by_status_active_ones_unless_asked(
    account: Account, project: Project, robin: Caller
) -> None:
    """One is read whatever its status."""
    account.add_project("Old").status = "archived"
    gone = account.add_project("Gone")
    gone.status = "trashed"

    async def names(query: str) -> list[str]:
        return [one["name"] for one in (await robin.ask("GET", f"/projects.json{query}")).json]

    assert await names("") == ["Widgets"]
    assert await names("?status=archived") == ["Old"]
    assert await names("?status=trashed") == ["Gone"]
    assert (await robin.ask("GET", f"/projects/{gone.id}.json")).json["status"] == "trashed"


async def test_a_dock_has_several_of_a_kind_and_disabled_ones(
    account: Account, project: Project, robin: Caller
) -> None:
    """A disabled tool has no position; absent ones are not there."""
    account.add_tool(project, "vault", "More files")
    project.tool("chat").disable()
    project.without("inbox")
    dock = (await robin.ask("GET", f"/projects/{project.id}.json")).json["dock"]
    assert [one["title"] for one in dock if one["name"] == "vault"] == [
        "Docs & Files",
        "More files",
    ]
    chat = next(one for one in dock if one["name"] == "chat")
    assert (chat["enabled"], chat["position"]) == (False, None)
    assert "inbox" not in {one["name"] for one in dock}


async def test_what_one_may_not_see_is_forbidden_or_not_found(
    account: Account, project: Project, robin: Caller
) -> None:
    """A project answers with the one or the other, and so does what is in it."""
    message = account.add_message(project.tool("message_board"), "x", None)
    (person,) = account.people
    for status in (403, 404):
        project.closed_to[person] = status
        for path in (f"/projects/{project.id}.json", f"/messages/{message.id}.json"):
            assert (await robin.ask("GET", path)).status == status
    for path in ("/projects/1.json", "/messages/1.json", "/projects/x.json", "/nothing.json"):
        assert (await robin.ask("GET", path)).status == 404


async def test_nulls_and_times_are_sent_as_basecamp_sends_them(
    account: Account, project: Project, robin: Caller
) -> None:
    """No description, no text, nobody; times in UTC and with an offset."""
    message = account.add_message(project.tool("message_board"), "x", None)
    bot = account.add_person("Bot", kind="Integration")
    account.add_comment(message, bot, "<div>hi</div>")
    assert (await robin.ask("GET", f"/projects/{project.id}.json")).json["description"] is None
    shown = (await robin.ask("GET", f"/messages/{message.id}.json")).json
    assert (shown["content"], shown["creator"]) == (None, None)
    assert "category" not in shown
    assert shown["created_at"].endswith("Z")
    (comment,) = (await robin.ask("GET", f"/recordings/{message.id}/comments.json")).json
    assert comment["created_at"].endswith("-06:00")
    assert comment["creator"]["email_address"] is None
    assert comment["creator"]["bio"] is None
    assert comment["bucket"] == {"id": project.id, "name": "Widgets", "type": "Project"}


async def test_limits_are_refused_as_basecamp_refuses(
    basecamp: BasecampStandIn, robin: Caller
) -> None:
    """429 with or without a time to wait, 507 for a limit of the plan."""
    for fault in (rate_limited(3), rate_limited(), account_limit()):
        basecamp.faults.add(fault)
    replies = [await robin.ask("GET", "/projects.json") for _ in range(4)]
    assert [one.status for one in replies] == [429, 429, 507, 200]
    assert [one.headers.get("Retry-After") for one in replies[:2]] == ["3", None]

"""The stand-in answers as Jira does, in each flavour, to a client that knows nothing of us."""

import base64
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

import aiohttp
import pytest

from tests.contract.caller import Caller, Reply
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.jira import Demo, FlavourName, JiraStandIn, move, seed_demo
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio

either_flavour = pytest.mark.parametrize("flavour", ["cloud", "data_center"])
API: dict[FlavourName, str] = {"cloud": "/rest/api/3", "data_center": "/rest/api/2"}


@dataclass(frozen=True, kw_only=True)
class Contract:
    """The demo's Jira and its user."""

    jira: JiraStandIn
    demo: Demo
    caller: Caller

    @property
    def api(self) -> str:
        return self.jira.state.api

    async def get(self, path: str, **query: str) -> Reply:
        return await self.caller.ask("GET", f"{self.api}{path}?{urlencode(query)}")


@asynccontextmanager
async def contract(flavour: FlavourName, mount: str = "") -> AsyncIterator[Contract]:
    """Serve the demo at a time that stands."""
    timeout = aiohttp.ClientTimeout(total=5)
    async with (
        JiraStandIn(flavour=flavour, clock=FakeClock(), mount=mount) as jira,
        aiohttp.ClientSession(timeout=timeout) as session,
    ):
        demo = seed_demo(jira.state)
        caller = Caller(session=session, base=jira.url, token=demo.token.secret)
        yield Contract(jira=jira, demo=demo, caller=caller)


@either_flavour
async def test_each_flavour_has_its_own_api_and_says_what_it_is(flavour: FlavourName) -> None:
    """Only serverInfo of API 2 is there in both."""
    async with contract(flavour) as it:
        info = (await it.caller.ask("GET", "/rest/api/2/serverInfo")).json
        assert info["deploymentType"] == ("Cloud" if flavour == "cloud" else "Server")
        assert info["baseUrl"] == it.jira.url
        other = API["data_center" if flavour == "cloud" else "cloud"]
        assert (await it.caller.ask("GET", f"{other}/issue/WID-2")).status == 404
        assert (await it.get("/issue/WID-2")).status == 200


@either_flavour
async def test_a_context_path_stands_before_everything(flavour: FlavourName) -> None:
    """Without it there is nothing but a dead link."""
    async with contract(flavour, mount="/jira") as it:
        issue = (await it.get("/issue/WID-2")).json
        assert issue["self"].startswith(f"{it.jira.url}{it.api}/issue/")
        bare = Caller(session=it.caller.session, base=it.jira.url.removesuffix("/jira"))
        lost = await bare.ask("GET", f"{it.api}/issue/WID-2")
        assert (lost.status, lost.headers["content-type"]) == (404, "text/html;charset=UTF-8")


@either_flavour
async def test_texts_are_documents_or_wiki_text(flavour: FlavourName) -> None:
    """Of descriptions and comments alike."""
    async with contract(flavour) as it:
        fields = (await it.get("/issue/WID-2", fields="description")).json["fields"]
        (first, *_) = (await it.get("/issue/WID-2/comment")).json["comments"]
        for text in (fields["description"], first["body"]):
            assert isinstance(text, dict if flavour == "cloud" else str)
        assert list(fields) == ["description"]


@either_flavour
async def test_people_are_account_ids_or_names(flavour: FlavourName) -> None:
    """Cloud hides names and, in issues, addresses."""
    async with contract(flavour) as it:
        assignee = (await it.get("/issue/WID-2")).json["fields"]["assignee"]
        assert ("accountId" in assignee) == (flavour == "cloud")
        assert ("name" in assignee) == (flavour == "data_center")
        assert ("emailAddress" in assignee) == (flavour == "data_center")
        me = (await it.get("/myself")).json
        assert me["emailAddress"] == "demo@acme.test"


@either_flavour
async def test_fields_and_their_names_are_chosen(flavour: FlavourName) -> None:
    """Unknown fields are left out in silence, null ones are null."""
    async with contract(flavour) as it:
        points = next(iter(it.jira.state.fields))
        asked = {"fields": f"summary,resolution,nonsense,{points}", "expand": "names"}
        issue = (await it.get("/issue/WID-2", **asked)).json
        assert set(issue["fields"]) == {"summary", "resolution", points}
        assert issue["fields"]["resolution"] is None
        assert issue["names"][points] == "Story Points"
        assert "names" not in (await it.get("/issue/WID-2")).json
        known = (await it.get("/field")).json
        assert {"id": points, "name": "Story Points", "custom": True} in known


@either_flavour
async def test_links_read_from_both_ends(flavour: FlavourName) -> None:
    """WID-2 blocks WID-4."""
    async with contract(flavour) as it:
        (out,) = (await it.get("/issue/WID-2")).json["fields"]["issuelinks"]
        (back,) = (await it.get("/issue/WID-4")).json["fields"]["issuelinks"]
        assert (out["type"]["outward"], out["outwardIssue"]["key"]) == ("blocks", "WID-4")
        assert (back["type"]["inward"], back["inwardIssue"]["key"]) == ("is blocked by", "WID-2")
        (subtask,) = (await it.get("/issue/WID-2")).json["fields"]["subtasks"]
        assert subtask["fields"]["status"]["statusCategory"]["key"] == "done"


@either_flavour
async def test_keys_ignore_case_and_former_ones_lead_on(flavour: FlavourName) -> None:
    """An issue may be asked for by its id, too."""
    async with contract(flavour) as it:
        issue = it.demo.wobbling
        for name in ("wid-2", issue.id):
            assert (await it.get(f"/issue/{name}")).json["key"] == "WID-2"
        move(it.jira.state, issue, it.jira.state.add_project("NEW"))
        assert (await it.get("/issue/WID-2")).json["key"] == "NEW-1"


@either_flavour
async def test_what_is_not_there_and_what_may_not_be_seen_are_the_same(
    flavour: FlavourName,
) -> None:
    """In Jira's own words, of each flavour."""
    async with contract(flavour) as it:
        missing = await it.get("/issue/WID-404")
        it.demo.project.members = []
        hidden = await it.get("/issue/WID-2")
        assert (missing.status, missing.json) == (hidden.status, hidden.json)
        words = "permission" if flavour == "cloud" else "Does Not Exist"
        assert words in missing.json["errorMessages"][0]
        assert missing.json["errors"] == {}


@either_flavour
async def test_comments_come_in_pages_and_in_either_order(flavour: FlavourName) -> None:
    """`total` counts all of them; a wish beyond the longest page is cut."""
    async with contract(flavour) as it:
        page = (await it.get("/issue/WID-2/comment", startAt="1", maxResults="2")).json
        assert (page["startAt"], page["maxResults"], page["total"]) == (1, 2, 4)
        assert len(page["comments"]) == 2
        newest = (await it.get("/issue/WID-2/comment", orderBy="-created", maxResults="1")).json
        (last,) = newest["comments"]
        assert "author" not in last
        many = (await it.get("/issue/WID-2/comment", maxResults="5000")).json
        assert many["maxResults"] == (100 if flavour == "cloud" else 1000)
        restricted = many["comments"][2]["visibility"]
        assert restricted == {"type": "role", "value": "Developers"}
        for wrong in ({"orderBy": "author"}, {"startAt": "x"}):
            assert (await it.get("/issue/WID-2/comment", **wrong)).status == 400


@either_flavour
async def test_who_logs_in_is_told_in_the_headers(flavour: FlavourName) -> None:
    """Bearer and basic alike; a wrong secret is 401."""
    async with contract(flavour) as it:
        encoded = base64.b64encode(b"demo@acme.test:demo-token").decode()
        nobody = it.caller.using("")
        path = f"{it.api}/myself"
        known = await nobody.ask("GET", path, Authorization=f"Basic {encoded}")
        header = "X-AACCOUNTID" if flavour == "cloud" else "X-AUSERNAME"
        assert known.headers[header] == ("acc-demo" if flavour == "cloud" else "demo")
        wrong = await it.caller.using("nonsense").ask("GET", path)
        assert wrong.status == 401
        assert wrong.headers["X-Seraph-LoginReason"] == "AUTHENTICATED_FAILED"
        assert (await nobody.ask("GET", path)).status == 401
        assert [one.token for one in it.jira.requests] == ["demo", "unknown", ""]


@either_flavour
async def test_a_deactivated_account_and_a_revoked_token_are_strangers(
    flavour: FlavourName,
) -> None:
    """Both are refused like a wrong secret."""
    async with contract(flavour) as it:
        with _changed(it.demo.token.user, "active", value=False):
            assert (await it.get("/myself")).status == 401
        it.demo.token.revoked = True
        assert (await it.get("/myself")).status == 401


@contextmanager
def _changed(thing: object, name: str, *, value: object) -> Iterator[None]:
    before = getattr(thing, name)
    setattr(thing, name, value)
    yield
    setattr(thing, name, before)


@either_flavour
async def test_an_unknown_login_may_be_taken_for_nobody(flavour: FlavourName) -> None:
    """200 with what is public, 404 for the rest, and a header that says why."""
    async with contract(flavour) as it:
        it.jira.state.unknown_login = "anonymous"
        stranger = it.caller.using("expired")
        hidden = await stranger.ask("GET", f"{it.api}/issue/WID-2")
        it.demo.project.public = True
        shown = await stranger.ask("GET", f"{it.api}/issue/WID-2")
        assert (hidden.status, shown.status) == (404, 200)
        for reply in (hidden, shown):
            assert reply.headers["X-Seraph-LoginReason"] == "AUTHENTICATED_FAILED"
            anonymous = "anonymous" if flavour == "data_center" else None
            assert reply.headers.get("X-AUSERNAME") == anonymous


@either_flavour
async def test_a_captcha_refuses_the_right_secret(flavour: FlavourName) -> None:
    """Until a person has solved it."""
    async with contract(flavour) as it:
        it.demo.token.user.captcha = True
        reply = await it.get("/myself")
        assert reply.status == 403
        assert reply.headers["X-Authentication-Denied-Reason"].startswith("CAPTCHA_CHALLENGE")


@either_flavour
async def test_a_login_page_is_a_success_of_html(flavour: FlavourName) -> None:
    """At every address, serverInfo included."""
    async with contract(flavour) as it:
        it.jira.state.login_page = True
        reply = await it.caller.ask("GET", "/rest/api/2/serverInfo")
        assert (reply.status, reply.headers["content-type"]) == (200, "text/html;charset=UTF-8")


async def test_cloud_has_removed_its_old_search() -> None:
    """410, whatever the method."""
    async with contract("cloud") as it:
        for method in ("GET", "POST"):
            reply = await it.caller.ask(method, f"{it.api}/search", {"jql": "project = WID"})
            assert reply.status == 410
            assert "removed" in reply.json["errorMessages"][0]


@either_flavour
async def test_faults_and_the_log_are_those_of_every_stand_in(flavour: FlavourName) -> None:
    """Paths are without the context path."""
    async with contract(flavour, mount="/jira") as it:
        it.jira.faults.add(AnswerWith(status=503), path="/rest/api/*/myself")
        assert [(await it.get("/myself")).status for _ in range(2)] == [503, 200]
        assert it.jira.requests[-1].path == f"{it.api}/myself"

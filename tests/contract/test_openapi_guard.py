"""The OpenAPI guard lets nothing through that GitHub's description forbids."""

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import replace

import aiohttp
import orjson
import pytest

from tests.contract.caller import Caller
from tests.samples import GITHUB_OPENAPI
from tests.samples.extract_github_openapi import extract
from trunkline_shared.exchange import Response
from trunkline_shared.testing.github import ContractViolated, GitHubStandIn, Received, seed_demo
from trunkline_shared.testing.openapi import OpenApiGuard, load
from trunkline_shared.testing.openapi_description import UNLISTED_FAILURES

REPO = "/repos/acme/widgets"
JSON = {"content-type": "application/json; charset=utf-8"}
GUARD = OpenApiGuard(GITHUB_OPENAPI)
GET = Received(method="GET", path=f"{REPO}/issues/comments/1", query=(), headers={}, body=b"", at=0)
LIST = replace(GET, path=f"{REPO}/issues/1/comments")
POST = replace(LIST, method="POST", headers=JSON, body=b'{"body": "hi"}')


def answer(status: int, body: object = None, headers: Mapping[str, str] = JSON) -> Response:
    raw = b"" if body is None else orjson.dumps(body)
    return Response(status=status, headers=headers, body=raw, url="")


def test_a_right_request_has_no_violations() -> None:
    """Comments can be read, listed with paging, and written."""
    paged = replace(LIST, query=(("per_page", "100"), ("page", "2")))
    for request in (GET, LIST, paged, POST):
        assert GUARD.of_request(request) == []


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (replace(GET, path="/nowhere"), "Path not found"),
        (replace(GET, method="PUT"), "Operation put not found"),
        (replace(GET, path=f"{REPO}/issues/comments/x"), "comment_id"),
        (replace(LIST, query=(("per_page", "many"),)), "per_page"),
        (replace(LIST, query=(("since", "yesterday"),)), "at since: "),
        (replace(LIST, query=(("sort", "newest"),)), "unknown query parameter 'sort'"),
        (replace(POST, body=b""), "body"),
        (replace(POST, body=b"{}"), "'body' is a required property"),
        (replace(POST, body=b'{"body": 1}'), "at ./body: 1 is not of type 'string'"),
        (replace(POST, body=b'{"body": "hi", "bodi": 1}'), "'bodi' was unexpected"),
        (replace(POST, path=f"{REPO}/issues/1/reactions", body=b'{"content": "ok"}'), "content"),
    ],
)
def test_a_wrong_request_is_named_with_what_is_wrong(request_: Received, said: str) -> None:
    """Path, method, parameters, unknown query, and the body down to the property."""
    found = GUARD.of_request(request_)
    assert any(said in one for one in found), found
    assert all(one.startswith(f"{request_.method} {request_.path}: ") for one in found)


@pytest.mark.parametrize(
    "given",
    [
        answer(200, {"id": 1}),
        answer(200, []),
        answer(200, None),
        answer(200, {"id": 1}, {"content-type": "text/html"}),
        answer(202, {}),
        answer(418, {"message": "tea"}),
        answer(404, {"message": 1}),
    ],
    ids=["fields", "type", "empty", "media-type", "success", "failure", "error-shape"],
)
def test_a_wrong_answer_is_a_violation(given: Response) -> None:
    """Missing fields, wrong types, media types and statuses that GitHub does not have."""
    assert GUARD.of_answer(GET, given)


@pytest.mark.parametrize("status", sorted(UNLISTED_FAILURES))
def test_each_unlisted_failure_has_a_reason_and_a_shape(status: str) -> None:
    """Failures that GitHub gives everywhere are allowed, with GitHub's error body."""
    _, reason = UNLISTED_FAILURES[status]
    assert reason
    body = None if status == "304" else {"message": "m", "documentation_url": "d", "errors": []}
    assert GUARD.of_answer(GET, answer(int(status), body)) == []


def test_the_amendments_are_still_needed() -> None:
    """When GitHub's description learns a failure everywhere, its exception has to go."""
    description = orjson.loads(gzip.decompress(GITHUB_OPENAPI.read_bytes()))
    operations = [op for item in description["paths"].values() for op in item.values()]
    for status in UNLISTED_FAILURES:
        assert any(status not in one["responses"] for one in operations), status
    review_comment = description["components"]["schemas"]["pull-request-review-comment"]
    assert "nullable" not in review_comment["properties"]["line"]
    state_reason = description["components"]["schemas"]["issue"]["properties"]["state_reason"]
    assert state_reason["nullable"]
    assert None not in state_reason["enum"]
    patch = description["paths"]["/repos/{owner}/{repo}/issues/{issue_number}"]["patch"]
    body = patch["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert body["milestone"]["nullable"]
    assert not any("nullable" in choice for choice in body["milestone"]["oneOf"])
    components = description["components"]
    check = components["schemas"]["check-run"]["properties"]
    assert not {"stale", "startup_failure"} & set(check["conclusion"]["enum"])
    assert "nullable" not in components["schemas"]["simple-user"]
    assert components["parameters"]["created"]["schema"]["format"] == "date-time"


def test_the_extract_names_its_origin_and_licence() -> None:
    """Package, version and licence stand in the file."""
    info = orjson.loads(gzip.decompress(GITHUB_OPENAPI.read_bytes()))["info"]
    assert info["license"]["name"] == "MIT"
    assert f"@octokit/openapi {info['version']}" in info["description"]
    assert GITHUB_OPENAPI.stat().st_size < 64 * 1024


def test_the_extract_holds_what_the_script_chooses() -> None:
    """Cutting it again changes nothing: no path is missing, no component is left over."""
    description = orjson.loads(gzip.decompress(GITHUB_OPENAPI.read_bytes()))
    again = extract(description)
    assert again["paths"] == description["paths"]
    assert again["components"] == description["components"]


def test_the_description_is_loaded_once() -> None:
    """The second guard costs nothing."""
    assert load(GITHUB_OPENAPI) is load(GITHUB_OPENAPI)


class Disappointed:
    """A guard that finds fault with every answer."""

    def of_request(self, request: Received) -> Sequence[str]:
        return ()

    def of_answer(self, request: Received, answer: Response) -> Sequence[str]:
        return (f"{request.path} has drifted",)


async def drift(session: aiohttp.ClientSession) -> None:
    async with GitHubStandIn(guard=Disappointed()) as github:
        reply = await Caller(session=session, base=github.url).ask("GET", "/rate_limit")
        assert reply.status == 500


async def slip(session: aiohttp.ClientSession) -> None:
    """Ask with a parameter that the operation does not have, and take the answer lightly."""
    async with GitHubStandIn(guard=GUARD) as github:
        token = seed_demo(github.state).token.secret
        caller = Caller(session=session, base=github.url, token=token)
        reply = await caller.ask("GET", f"{REPO}/issues/1/comments?sort=newest")
        assert reply.status == 500
        assert "sort" in reply.json["errors"][0]
        assert len(github.violations) == 1


async def slip_and_fail(session: aiohttp.ClientSession) -> None:
    async with GitHubStandIn(guard=GUARD) as github:
        await Caller(session=session, base=github.url).ask("GET", "/nowhere")
        raise ZeroDivisionError


@pytest.mark.requirement("github.openapi")
@pytest.mark.anyio
async def test_a_violation_is_answered_with_500_and_fails_the_block(
    session: aiohttp.ClientSession,
) -> None:
    """A client's slip cannot go unseen, however it treats the answer."""
    with pytest.raises(ContractViolated, match="unknown query parameter 'sort'"):
        await slip(session)


@pytest.mark.requirement("github.openapi")
@pytest.mark.anyio
async def test_a_drift_of_the_stand_in_itself_fails_the_block(
    session: aiohttp.ClientSession,
) -> None:
    """Answers are held to the contract as requests are."""
    with pytest.raises(ContractViolated, match="/rate_limit has drifted"):
        await drift(session)


@pytest.mark.anyio
async def test_a_failing_test_keeps_its_own_error(session: aiohttp.ClientSession) -> None:
    """A violation is added to the error that already ends the block, never put in its place."""
    with pytest.raises(ZeroDivisionError) as caught:
        await slip_and_fail(session)
    assert any("Path not found" in note for note in caught.value.__notes__)


@pytest.mark.anyio
async def test_the_permanent_address_is_judged_as_the_named_one(
    session: aiohttp.ClientSession,
) -> None:
    """/repositories/{id} is not in the description; it is checked as /repos/{owner}/{repo}."""
    async with GitHubStandIn(guard=GUARD) as github:
        demo = seed_demo(github.state)
        caller = Caller(session=session, base=github.url, token=demo.token.secret)
        path = f"/repositories/{demo.repository.id}/issues/1/comments?per_page=1"
        assert (await caller.ask("GET", path)).status == 200

"""Redirections: followed for reads, never with credentials to another origin."""

import pytest

from tests.unit.trunkline_shared.http.scripted import Answer, json, vendor
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Response
from trunkline_shared.http.client import open_http
from trunkline_shared.http.outgoing import Outgoing
from trunkline_shared.http.redirects import HOPS, target
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

SECRETS = {
    "Authorization": "Bearer s3cret",
    "If-None-Match": '"tag"',
    "X-GitHub-Api-Version": "2022-11-28",
    "Accept": "application/json",
    "User-Agent": "trunkline/1",
}


def asked(url: str, method: str = "GET") -> Outgoing:
    return Outgoing(method=method, url=url, headers=SECRETS, template="/x")


def to(location: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"Location": location}, body=b"")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_read_follows_its_own_origin_and_reports_the_new_address(status: int) -> None:
    """A renamed repository is found, with the token, and `moved_to` names it."""
    moved = to("/repositories/7", status)
    async with vendor(moved, json(1)) as there, open_http(FakeClock()) as http:
        response = await http.send(asked(there.url + "/repos/o/r"))
    assert response.body == b"1"
    assert response.moved_to == there.url + "/repositories/7"
    assert there.seen[1].target == "/repositories/7"
    assert there.seen[1].headers["authorization"] == "Bearer s3cret"


@pytest.mark.requirement("github.redirects")
async def test_another_origin_gets_no_credential_and_its_address_is_not_told() -> None:
    """Logs live at a blob store behind a signed URL, which is itself a secret."""
    async with (
        vendor(json("log")) as store,
        vendor(to(store.url + "/log?sig=s3cret")) as there,
        open_http(FakeClock()) as http,
    ):
        response = await http.send(asked(there.url + "/logs"))
    assert response.body == b'"log"'
    assert (response.url, response.moved_to) == (there.url + "/logs", None)
    (seen,) = store.seen
    assert seen.target == "/log?sig=s3cret"
    assert not {"authorization", "if-none-match", "x-github-api-version"} & seen.headers.keys()
    assert seen.headers["user-agent"] == "trunkline/1"


@pytest.mark.requirement("github.redirects")
async def test_a_credential_does_not_return_after_a_detour() -> None:
    """Once dropped it stays dropped, also when the way leads back."""
    async with (
        vendor() as there,
        vendor(to(there.url + "/back")) as detour,
        open_http(FakeClock()) as http,
    ):
        there.answers = [to(detour.url + "/away"), json(1)]
        await http.send(asked(there.url + "/start"))
    assert "authorization" not in there.seen[1].headers


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
async def test_a_write_follows_nothing(method: str) -> None:
    """The redirection itself is the answer."""
    async with vendor(to("/elsewhere", 307)) as there, open_http(FakeClock()) as http:
        response = await http.send(asked(there.url, method))
    assert response.status == 307
    assert len(there.seen) == 1


async def test_a_circle_of_redirections_ends() -> None:
    """Five are followed, the next is a failure of the vendor."""
    async with vendor(to("/again")) as there, open_http(FakeClock()) as http:
        with pytest.raises(UpstreamUnavailable, match="more than 5") as caught:
            await http.send(asked(there.url))
    assert len(there.seen) == HOPS + 1
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("http://api.example/x", "from HTTPS to HTTP"),
        ("ftp://api.example/x", "no HTTP address"),
        ("file:///etc/passwd", "no HTTP address"),
        ("javascript:alert(1)", "no HTTP address"),
        ("http://[", "no address"),
    ],
)
def test_a_redirection_to_an_unsafe_target_is_refused(location: str, why: str) -> None:
    """TLS is not given up, and only HTTP is spoken."""
    answer = Response(status=302, headers={"location": location}, body=b"", url="")
    with pytest.raises(UpstreamUnavailable, match=why):
        target(asked("https://api.example/x"), answer)


def test_a_password_in_a_redirection_is_not_used() -> None:
    """A target cannot choose the credentials that it is asked with."""
    answer = Response(
        status=302, headers={"location": "https://me:secret@api.example/y"}, body=b"", url=""
    )
    following = target(asked("https://api.example/x"), answer)
    assert following is not None
    assert following.url == "https://api.example/y"


@pytest.mark.parametrize(("status", "headers"), [(200, {"location": "/y"}), (302, {}), (304, {})])
def test_an_answer_that_leads_nowhere_is_final(status: int, headers: dict[str, str]) -> None:
    """Only a redirection with a Location leads on."""
    answer = Response(status=status, headers=headers, body=b"", url="")
    assert target(asked("https://api.example/x"), answer) is None

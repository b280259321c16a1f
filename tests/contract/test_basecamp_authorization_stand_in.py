"""The stand-in for Basecamp's authorization server does what the true one does to its clients."""

from collections.abc import AsyncIterator
from urllib.parse import urlencode

import orjson
import pytest

from trunkline_shared.http.client import HttpClient, open_http
from trunkline_shared.http.outgoing import Outgoing
from trunkline_shared.testing.basecamp.authorization import DISCOVERY, AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import TWO_WEEKS_S, Account, Granted, Grants
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def authorization(clock: FakeClock) -> AsyncIterator[AuthorizationStandIn]:
    async with AuthorizationStandIn(grants=Grants(clock=clock)) as stand_in:
        yield stand_in


@pytest.fixture
async def http(clock: FakeClock) -> AsyncIterator[HttpClient]:
    async with open_http(clock) as client:
        yield client


async def renew(
    http: HttpClient, authorization: AuthorizationStandIn, refresh_token: str, **others: str
) -> tuple[int, dict[str, object]]:
    """Ask for the next tokens; return status and body."""
    form = {
        "grant_type": "refresh_token",
        "refresh_token": refresh_token,
        "client_id": authorization.grants.client_id,
        "client_secret": authorization.grants.client_secret,
        **others,
    }
    response = await http.send(
        Outgoing(
            method="POST",
            url=authorization.token_url,
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            body=urlencode(form).encode(),
        )
    )
    body: dict[str, object] = orjson.loads(response.body)
    return response.status, body


async def discovered(
    http: HttpClient, authorization: AuthorizationStandIn, granted: Granted
) -> int:
    """Ask for the accounts; return the status."""
    headers = {"Authorization": f"Bearer {granted.access_token}"}
    url = authorization.url + DISCOVERY
    return (await http.send(Outgoing(method="GET", url=url, headers=headers))).status


async def test_a_renewal_ends_both_tokens_before_it(
    http: HttpClient, authorization: AuthorizationStandIn
) -> None:
    """A second use of the old refresh token is refused, and counted."""
    granted = authorization.grants.authorize()
    status, fresh = await renew(http, authorization, granted.refresh_token)
    assert (status, fresh["expires_in"]) == (200, TWO_WEEKS_S)
    assert not authorization.is_valid(granted.access_token)
    assert authorization.is_valid(str(fresh["access_token"]))
    status, refused = await renew(http, authorization, granted.refresh_token)
    assert (status, refused["error"]) == (400, "invalid_grant")
    assert (authorization.grants.renewed, authorization.grants.reused) == (1, 1)
    status, _ = await renew(http, authorization, str(fresh["refresh_token"]))
    assert status == 200


async def test_launchpad_keeps_its_refresh_token(
    http: HttpClient, authorization: AuthorizationStandIn
) -> None:
    """And does not repeat it."""
    authorization.grants.rotates = False
    granted = authorization.grants.authorize()
    for _ in range(2):
        status, fresh = await renew(http, authorization, granted.refresh_token)
        assert status == 200
        assert "refresh_token" not in fresh
        assert authorization.is_valid(str(fresh["access_token"]))
    assert authorization.grants.reused == 0


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"client_secret": "wrong"}, 401, "invalid_client"),
        ({"client_id": "wrong"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"resource": "unasked"}, 400, "invalid_target"),
        ({"refresh_token": "unknown"}, 400, "invalid_grant"),
    ],
)
async def test_what_is_wrong_is_refused_by_its_code_and_spends_nothing(
    http: HttpClient,
    authorization: AuthorizationStandIn,
    wrong: dict[str, str],
    status: int,
    code: str,
) -> None:
    """As RFC 6749 says."""
    granted = authorization.grants.authorize()
    asked = {"refresh_token": granted.refresh_token, **wrong}
    token = asked.pop("refresh_token")
    answered, refused = await renew(http, authorization, token, **asked)
    assert (answered, refused["error"]) == (status, code)
    assert authorization.is_valid(granted.access_token)


async def test_a_token_ends_with_its_time(
    http: HttpClient, authorization: AuthorizationStandIn, clock: FakeClock
) -> None:
    """Two weeks; the accounts are told to a valid one only."""
    authorization.grants.accounts = [Account(id=1, name="A", href="https://3.basecampapi.com/1")]
    granted = authorization.grants.authorize()
    assert await discovered(http, authorization, granted) == 200
    clock.advance(TWO_WEEKS_S)
    assert not authorization.is_valid(granted.access_token)
    assert await discovered(http, authorization, granted) == 401
    status, _ = await renew(http, authorization, granted.refresh_token)
    assert status == 200

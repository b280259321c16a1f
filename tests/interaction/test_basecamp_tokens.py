"""Which Basecamp token is used, when it is renewed, and what is told when it cannot be."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.interaction.basecamp_tokens import AGENT, SECRETS, Operator, refuse, token_of
from trunkline_project_reader.tokens.provider import FRESH_S, PAUSE_S
from trunkline_shared.errors import (
    AuthError,
    CredentialsMissing,
    TokenExpired,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.testing.basecamp.authorization import TOKEN, AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import TWO_WEEKS_S, Grants
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio


@pytest.fixture
async def operator(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Operator]:
    """An operator of a server beside an authorization server, who has configured nothing yet."""
    clock = FakeClock()
    async with AuthorizationStandIn(grants=Grants(clock=clock)) as authorization:
        operator = Operator(authorization=authorization, clock=clock, monkeypatch=monkeypatch)
        operator.configure()
        yield operator


@pytest.fixture
def store(operator: Operator) -> Store:
    return in_process_store(operator.clock)


async def test_without_any_variable_the_one_to_set_is_named(
    operator: Operator, store: Store
) -> None:
    """CREDENTIALS_MISSING, before anything is asked of anybody."""
    async with operator.tokens(store) as tokens:
        with pytest.raises(CredentialsMissing, match="BASECAMP_ACCESS_TOKEN") as caught:
            await tokens.get()
    assert caught.value.details["variables"] == ["BASECAMP_ACCESS_TOKEN"]
    assert not operator.authorization.requests


async def test_a_refresh_token_without_its_client_is_only_half_of_what_it_takes(
    operator: Operator, store: Store
) -> None:
    """What lacks is named now, and not when the access token ends in two weeks."""
    operator.authorize(without=["CLIENT_ID"])
    async with operator.tokens(store) as tokens:
        with pytest.raises(CredentialsMissing, match="BASECAMP_CLIENT_ID is not") as caught:
            await tokens.get()
    assert caught.value.details["variables"] == ["BASECAMP_CLIENT_ID"]


@pytest.mark.parametrize("name", SECRETS)
async def test_a_value_that_cannot_be_one_is_named_and_not_shown(
    operator: Operator, store: Store, name: str
) -> None:
    """AUTH_ERROR for blanks and line breaks inside, as they are when something else was copied."""
    given = dict.fromkeys(SECRETS, "good")
    operator.configure(**given | {name: "Bearer geheim"})
    async with operator.tokens(store) as tokens:
        with pytest.raises(AuthError, match=f"BASECAMP_{name}") as caught:
            await tokens.get()
    assert caught.value.details["reason"] == "malformed_token"
    assert "geheim" not in f"{caught.value.message}{caught.value.hint}"


async def test_an_access_token_is_used_as_it_is(operator: Operator, store: Store) -> None:
    """Nobody asks the authorization server about it."""
    granted = operator.authorize(without=["REFRESH_TOKEN"])
    async with operator.tokens(store) as tokens:
        credential = await tokens.get()
    assert token_of(credential) == granted.access_token
    assert credential.source == "BASECAMP_ACCESS_TOKEN"
    assert granted.access_token not in repr((credential, tokens))
    assert not operator.authorization.requests


@pytest.mark.requirement("basecamp.token-expired")
async def test_a_refused_access_token_that_nobody_can_renew_has_expired(
    operator: Operator, store: Store
) -> None:
    """TOKEN_EXPIRED, with the variables that mend it."""
    operator.configure(ACCESS_TOKEN="old")
    async with operator.tokens(store) as tokens:
        refused = await tokens.get()
        with pytest.raises(TokenExpired, match="BASECAMP_ACCESS_TOKEN") as caught:
            await tokens.renewed(refused, status=401, refusals=1)
    hint = caught.value.hint or ""
    assert all(f"BASECAMP_{name}" in hint for name in SECRETS)
    assert not caught.value.retryable


async def test_a_refused_access_token_makes_way_for_the_one_that_its_file_now_holds(
    operator: Operator, store: Store, tmp_path: Path
) -> None:
    """A secret that was replaced while the server runs is taken without a restart."""
    file = tmp_path / "token"
    file.write_text("old\n", encoding="utf-8")
    operator.configure(ACCESS_TOKEN_FILE=str(file))
    async with operator.tokens(store) as tokens:
        refused = await tokens.get()
        file.write_text("newer\n", encoding="utf-8")
        assert await refuse(tokens, refused) == "newer"
        assert token_of(await tokens.get()) == "newer"
        with pytest.raises(TokenExpired):
            await tokens.renewed(await tokens.get(), status=401, refusals=2)


async def test_a_refused_token_is_renewed_and_the_next_one_used_from_then_on(
    operator: Operator, store: Store
) -> None:
    """One form-encoded request; everybody who asks later gets its token."""
    granted = operator.authorize()
    grants = operator.authorization.grants
    async with operator.tokens(store) as tokens:
        first = await tokens.get()
        assert token_of(first) == granted.access_token
        fresh = await refuse(tokens, first)
        then = await tokens.get()
    assert token_of(then) == fresh != granted.access_token
    assert grants.is_valid(fresh)
    assert then.account == first.account
    assert then.fingerprint != first.fingerprint
    assert then.source == "BASECAMP_REFRESH_TOKEN"
    (request,) = operator.authorization.renewals
    assert parse_qs(request.body.decode(), strict_parsing=True) == {
        "grant_type": ["refresh_token"],
        "refresh_token": [granted.refresh_token],
        "client_id": [grants.client_id],
        "client_secret": [grants.client_secret],
    }
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.headers["user-agent"] == AGENT
    assert not request.query


async def test_who_was_refused_with_an_older_token_gets_the_present_one(
    operator: Operator, store: Store
) -> None:
    """Requests that were in flight during a renewal cause no second one."""
    operator.authorize()
    async with operator.tokens(store) as tokens:
        first = await tokens.get()
        fresh = await refuse(tokens, first)
        operator.clock.advance(3600)
        assert await refuse(tokens, first) == fresh
    assert operator.authorization.grants.renewed == 1


async def test_a_permission_is_nothing_that_another_token_mends(
    operator: Operator, store: Store
) -> None:
    """403 renews nothing."""
    operator.authorize()
    async with operator.tokens(store) as tokens:
        refused = await tokens.get()
        assert await tokens.renewed(refused, status=403, refusals=1) is None
    assert not operator.authorization.requests


async def test_a_refresh_token_alone_is_enough(operator: Operator, store: Store) -> None:
    """Without an access token one is got before the first request."""
    operator.authorize(without=["ACCESS_TOKEN"])
    async with operator.tokens(store) as tokens:
        assert operator.authorization.is_valid(token_of(await tokens.get()))
        await tokens.get()
    assert operator.authorization.grants.renewed == 1


async def test_a_server_that_keeps_its_refresh_token_is_asked_with_it_again(
    operator: Operator, store: Store
) -> None:
    """Launchpad's way: an answer without a refresh token leaves the old one good."""
    granted = operator.authorize()
    operator.authorization.grants.rotates = False
    async with operator.tokens(store) as tokens:
        for _ in range(3):
            operator.clock.advance(3600)
            assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))
    sent = [parse_qs(one.body.decode()) for one in operator.authorization.renewals]
    assert [form["refresh_token"] for form in sent] == [[granted.refresh_token]] * 3


async def test_a_server_that_rotates_is_asked_with_the_last_refresh_token(
    operator: Operator, store: Store
) -> None:
    """None is ever sent twice."""
    operator.authorize()
    async with operator.tokens(store) as tokens:
        for _ in range(3):
            operator.clock.advance(3600)
            assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))
    grants = operator.authorization.grants
    assert (grants.renewed, grants.reused) == (3, 0)


async def test_the_device_flow_of_a_public_client_echoes_its_resource(
    operator: Operator, store: Store
) -> None:
    """Another issuer, no client secret, and `resource` in the form."""
    grants = operator.authorization.grants
    grants.client_secret, grants.resource = "", "https://3.basecampapi.com/195539477"
    operator.authorize(without=["CLIENT_SECRET"])
    async with operator.tokens(store) as tokens:
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))
    (request,) = operator.authorization.renewals
    form = parse_qs(request.body.decode())
    assert form["resource"] == [grants.resource]
    assert "client_secret" not in form


async def test_a_token_is_renewed_five_minutes_before_its_end(
    operator: Operator, store: Store
) -> None:
    """And not earlier; no request is spent on finding out."""
    operator.authorize(without=["ACCESS_TOKEN"])
    async with operator.tokens(store) as tokens:
        first = token_of(await tokens.get())
        operator.clock.advance(TWO_WEEKS_S - 301)
        assert token_of(await tokens.get()) == first
        operator.clock.advance(2)
        assert token_of(await tokens.get()) != first
    assert operator.authorization.grants.renewed == 2


async def test_tokens_of_a_few_minutes_are_renewed_at_half_of_their_life(
    operator: Operator, store: Store
) -> None:
    """Not with every request, as five minutes before their end would be."""
    operator.authorization.grants.lifetime_s = 60
    operator.authorize(without=["ACCESS_TOKEN"])
    async with operator.tokens(store) as tokens:
        first = token_of(await tokens.get())
        operator.clock.advance(29)
        assert token_of(await tokens.get()) == first
        operator.clock.advance(2)
        assert token_of(await tokens.get()) != first


async def test_a_token_without_a_known_end_is_used_until_it_is_refused(
    operator: Operator, store: Store
) -> None:
    """An answer without `expires_in` says nothing about the end."""
    operator.authorization.grants.lifetime_s = None
    operator.authorize(without=["ACCESS_TOKEN"])
    async with operator.tokens(store) as tokens:
        first = token_of(await tokens.get())
        operator.clock.advance(10 * TWO_WEEKS_S)
        assert token_of(await tokens.get()) == first


async def test_a_token_that_still_lasts_is_used_when_it_cannot_be_renewed(
    operator: Operator, store: Store
) -> None:
    """An outage of the authorization server costs nobody a call; it is asked twice a minute."""
    operator.authorize(without=["ACCESS_TOKEN"])
    async with operator.tokens(store) as tokens:
        first = token_of(await tokens.get())
        operator.authorization.faults.add(AnswerWith(status=503), "POST", TOKEN, times=99)
        operator.clock.advance(TWO_WEEKS_S - 200)
        for _ in range(5):
            assert token_of(await tokens.get()) == first
        assert len(operator.authorization.renewals) == 2
        operator.clock.advance(PAUSE_S)
        assert token_of(await tokens.get()) == first
        assert len(operator.authorization.renewals) == 3
        operator.clock.advance(200)
        with pytest.raises(UpstreamUnavailable):
            await tokens.get()
        operator.authorization.faults.clear()
        assert operator.authorization.is_valid(token_of(await tokens.get()))


async def test_a_token_that_is_refused_as_soon_as_it_is_given_ends_the_matter(
    operator: Operator, store: Store
) -> None:
    """TOKEN_EXPIRED; calls do not renew and renew a token that is not the trouble."""
    operator.authorize()
    async with operator.tokens(store) as tokens:
        await refuse(tokens, await tokens.get())
        for refusals in (2, 1, 3):
            with pytest.raises(TokenExpired, match="just given") as caught:
                await tokens.renewed(await tokens.get(), status=401, refusals=refusals)
            assert caught.value.details["reason"] == "renewed_token_refused"
        assert operator.authorization.grants.renewed == 1
        operator.clock.advance(FRESH_S)
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))


async def test_a_server_that_starts_again_goes_on_with_the_last_tokens(
    operator: Operator, store: Store
) -> None:
    """The variables still hold the first ones, which are long spent."""
    operator.authorize()
    async with operator.tokens(store) as tokens:
        fresh = await refuse(tokens, await tokens.get())
    operator.clock.advance(3600)
    async with operator.tokens(store) as tokens:
        again = await tokens.get()
        assert token_of(again) == fresh
        assert operator.authorization.is_valid(await refuse(tokens, again))
    assert operator.authorization.grants.reused == 0


async def test_a_refresh_token_that_the_operator_replaces_counts_from_then_on(
    operator: Operator, store: Store
) -> None:
    """What was made of the old one is forgotten, in a server that runs and in the store."""
    operator.authorize()
    async with operator.tokens(store) as tokens:
        await refuse(tokens, await tokens.get())
        second = operator.authorize()
        assert token_of(await tokens.get()) == second.access_token
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))
    assert operator.authorization.grants.reused == 0


@pytest.mark.requirement("basecamp.token-expired")
async def test_a_refresh_token_that_is_refused_is_told_with_the_way_back(
    operator: Operator, store: Store
) -> None:
    """TOKEN_EXPIRED, and no word of what the server said about the token."""
    granted = operator.authorize()
    operator.authorization.grants.revoke(granted.refresh_token)
    async with operator.tokens(store) as tokens:
        with pytest.raises(TokenExpired, match="invalid_grant") as caught:
            await refuse(tokens, await tokens.get())
    error = caught.value
    assert error.details["reason"] == "refresh_refused"
    assert error.details["oauth_error"] == "invalid_grant"
    assert "BASECAMP_REFRESH_TOKEN" in (error.hint or "")
    assert "earlier" not in error.message
    told = f"{error.message}{error.hint}{error.details}"
    grants = operator.authorization.grants
    assert not [s for s in (*_texts(granted), grants.client_secret) if s in told]


def _texts(granted: object) -> tuple[str, str]:
    return (str(getattr(granted, "access_token", "")), str(getattr(granted, "refresh_token", "")))


async def test_a_dead_refresh_token_is_sent_once_a_minute_at_most(
    operator: Operator, store: Store
) -> None:
    """Agents that go on asking do not make the server an attacker."""
    granted = operator.authorize()
    operator.authorization.grants.revoke(granted.refresh_token)
    async with operator.tokens(store) as tokens:
        refused = await tokens.get()
        for _ in range(4):
            with pytest.raises(TokenExpired, match="invalid_grant"):
                await refuse(tokens, refused)
        assert len(operator.authorization.renewals) == 1
        operator.clock.advance(61)
        with pytest.raises(TokenExpired, match="invalid_grant"):
            await refuse(tokens, refused)
    assert len(operator.authorization.renewals) == 2


async def test_a_wrong_client_is_named_and_mended_without_a_restart(
    operator: Operator, store: Store
) -> None:
    """The refresh token is still good: the next call with the right secret renews it."""
    granted = operator.authorize()
    right = operator.authorization.grants.client_secret
    operator.monkeypatch.setenv("BASECAMP_CLIENT_SECRET", "wrong")
    async with operator.tokens(store) as tokens:
        with pytest.raises(TokenExpired, match="invalid_client") as caught:
            await refuse(tokens, await tokens.get())
        assert "BASECAMP_CLIENT_SECRET" in (caught.value.hint or "")
        operator.monkeypatch.setenv("BASECAMP_CLIENT_SECRET", right)
        assert await refuse(tokens, await tokens.get()) != granted.access_token


async def test_a_wrong_resource_is_named(operator: Operator, store: Store) -> None:
    """The variable that holds it is in the hint."""
    operator.authorize()
    async with operator.tokens(store) as tokens:
        operator.authorization.grants.resource = "https://elsewhere.example"
        with pytest.raises(TokenExpired) as caught:
            await refuse(tokens, await tokens.get())
    assert "TRUNKLINE_BASECAMP_TOKEN_RESOURCE" in (caught.value.hint or "")


@pytest.mark.parametrize("status", [301, 302, 307, 403, 404, 405])
async def test_an_address_that_renews_nothing_is_named(
    operator: Operator, store: Store, status: int
) -> None:
    """A redirection is not followed either: the form holds secrets."""
    operator.authorize()
    fault = AnswerWith(status=status, headers={"location": f"{operator.authorization.url}/x"})
    operator.authorization.faults.add(fault, "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        with pytest.raises(UpstreamUnavailable) as caught:
            await refuse(tokens, await tokens.get())
        assert caught.value.details["renewal"] == "not_made"
        assert "TRUNKLINE_BASECAMP_TOKEN_URL" in (caught.value.hint or "")
        assert not caught.value.retryable
        assert len(operator.authorization.requests) == 1
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))


async def test_each_caller_gets_a_failure_of_its_own(operator: Operator, store: Store) -> None:
    """What one adds to it, no other sees; and none of their requests was sent."""
    granted = operator.authorize()
    operator.authorization.grants.revoke(granted.refresh_token)
    told: list[TrunklineError] = []
    async with operator.tokens(store) as tokens:
        refused = await tokens.get()
        for _ in range(2):
            with pytest.raises(TokenExpired) as caught:
                await refuse(tokens, refused)
            told.append(caught.value)
    assert told[0] is not told[1]
    assert [error.details["phase"] for error in told] == ["held", "held"]

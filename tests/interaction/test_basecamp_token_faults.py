"""What becomes of a Basecamp token when its renewal fails half-way, and what is told of it."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import pytest
from opentelemetry import trace

from tests.interaction.basecamp_tokens import Operator, refuse, token_of, traced
from trunkline_project_reader.tokens.provider import BasecampTokens
from trunkline_shared.errors import (
    CredentialsMissing,
    NetworkError,
    PermissionDenied,
    RateLimited,
    TokenExpired,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.testing.basecamp.authorization import (
    DISCOVERY,
    TOKEN,
    AuthorizationStandIn,
)
from trunkline_shared.testing.basecamp.grants import Account, Grants
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.stand_in.faults import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    Fault,
    MalformedJson,
    TruncatedBody,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def operator(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Operator]:
    """An operator of a server beside an authorization server, which let the client in."""
    clock = FakeClock()
    async with AuthorizationStandIn(grants=Grants(clock=clock)) as authorization:
        operator = Operator(authorization=authorization, clock=clock, monkeypatch=monkeypatch)
        operator.authorize()
        yield operator


@pytest.fixture
def store() -> Store:
    return in_process_store()


async def failure(tokens: BasecampTokens) -> TrunklineError:
    """Return what the renewal of a refused token fails with."""
    with pytest.raises(TrunklineError) as caught:
        await refuse(tokens, await tokens.get())
    assert caught.value.details["phase"] == "held"
    assert "may_have_happened" not in caught.value.details
    return caught.value


LOST: dict[str, Fault] = {
    "cut before it was read": CutBeforeReading(),
    "cut after it was applied": CutAfterApplying(),
    "half of a body": TruncatedBody(),
    "bad gateway": FailAfterApplying(status=502),
    "gateway timeout": FailAfterApplying(status=504),
    "half of the JSON": MalformedJson(),
    "an empty token": AnswerWith(status=200, body={"access_token": ""}),
    "a token with a blank": AnswerWith(status=200, body={"access_token": "two words"}),
    "no object": AnswerWith(status=200, body="[1]"),
}


@pytest.mark.requirement("basecamp.refresh-persisted")
@pytest.mark.parametrize("fault", LOST.values(), ids=LOST)
async def test_an_answer_that_is_lost_burns_no_refresh_token(
    operator: Operator, store: Store, fault: Fault
) -> None:
    """What happened is said; the next call sends the same refresh token once more."""
    operator.authorization.grants.rotates = False
    operator.authorization.faults.add(fault, "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        error = await failure(tokens)
        assert isinstance(error, UpstreamTimeout | UpstreamUnavailable)
        assert error.details["renewal"] == "unknown"
        assert "Whether the token was renewed is not known" in error.message
        assert len(operator.authorization.renewals) == 1
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))
    assert len({one.body for one in operator.authorization.renewals if one.body}) == 1


async def test_an_answer_that_is_lost_may_have_held_the_only_token(
    operator: Operator, store: Store
) -> None:
    """A server that rotates refuses the second try; the operator is told what it may be."""
    operator.authorization.faults.add(CutAfterApplying(), "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        await failure(tokens)
        error = await failure(tokens)
    assert isinstance(error, TokenExpired)
    assert "An earlier attempt got no answer" in error.message
    assert error.details["earlier_renewal"] == "unknown"
    assert error.details["reason"] == "refresh_refused"


async def test_what_is_in_doubt_is_known_to_the_next_process(
    operator: Operator, store: Store
) -> None:
    """The mark is in the store, before anything is sent."""
    operator.authorization.faults.add(CutAfterApplying(), "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        await failure(tokens)
    async with operator.tokens(store) as tokens:
        assert "An earlier attempt got no answer" in (await failure(tokens)).message


async def test_a_refusal_leaves_no_doubt(operator: Operator, store: Store) -> None:
    """An answer that says no, or that comes too early, is no lost answer."""
    grants = operator.authorization.grants
    limited = AnswerWith(status=429, headers={"retry-after": "900"})
    operator.authorization.faults.add(limited, "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        granted = (await tokens.get()).authorization.removeprefix("Bearer ")
        await failure(tokens)
        pair = grants.of(granted)
        assert pair is not None
        grants.revoke(pair.refresh_token)
        operator.clock.advance(900)
        error = await failure(tokens)
    assert isinstance(error, TokenExpired)
    assert "earlier_renewal" not in error.details


async def test_a_short_limit_is_waited_for(operator: Operator, store: Store) -> None:
    """429 with two seconds: the caller notices nothing."""
    limited = AnswerWith(status=429, headers={"retry-after": "2"})
    operator.authorization.faults.add(limited, "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))
    assert operator.clock.slept == [2]


async def test_a_long_limit_is_told_and_kept(operator: Operator, store: Store) -> None:
    """429 with ten minutes: nobody asks before they are over."""
    limited = AnswerWith(status=429, headers={"retry-after": "600"})
    operator.authorization.faults.add(limited, "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        for seconds in (600, 540):
            error = await failure(tokens)
            assert isinstance(error, RateLimited)
            assert error.retry_after == seconds
            operator.clock.advance(60)
        assert len(operator.authorization.renewals) == 1
        operator.clock.advance(480)
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))


async def test_a_limit_without_a_time_is_a_minute(operator: Operator, store: Store) -> None:
    """429 without Retry-After."""
    operator.authorization.faults.add(AnswerWith(status=429), "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        assert (await failure(tokens)).retry_after == 60


async def test_a_server_that_is_not_there_has_surely_done_nothing(
    operator: Operator, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NETWORK_ERROR after three tries, and nothing is in doubt."""
    async with AuthorizationStandIn() as gone:
        pass
    elsewhere = Operator(authorization=gone, clock=operator.clock, monkeypatch=monkeypatch)
    async with elsewhere.tokens(store) as tokens:
        error = await failure(tokens)
    assert isinstance(error, NetworkError)
    assert error.details["renewal"] == "not_made"
    assert error.retryable
    assert len(operator.clock.slept) == 2


async def test_a_busy_server_is_unavailable_and_nothing_worse(
    operator: Operator, store: Store
) -> None:
    """The code counts for more than the status: this is no refusal of the token."""
    busy = AnswerWith(status=400, body={"error": "temporarily_unavailable"})
    operator.authorization.faults.add(busy, "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        assert isinstance(await failure(tokens), UpstreamUnavailable)
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))


async def test_a_refusal_inside_a_success_is_a_refusal(operator: Operator, store: Store) -> None:
    """Some issuers answer 200 to everything."""
    refusal = AnswerWith(status=200, body={"error": "invalid_grant"})
    operator.authorization.faults.add(refusal, "POST", TOKEN)
    async with operator.tokens(store) as tokens:
        assert isinstance(await failure(tokens), TokenExpired)


async def test_a_renewal_is_one_span_of_the_call_that_needed_it(
    operator: Operator, store: Store
) -> None:
    """Named by method and path; neither it nor the log holds a secret."""
    exporter, provider = traced()
    async with operator.tokens(store, provider) as tokens:
        with provider.get_tracer("call").start_as_current_span("tools/call") as call:
            fresh = await refuse(tokens, await tokens.get())
    span = next(s for s in exporter.get_finished_spans() if s.name == f"POST {TOKEN}")
    assert span.kind is trace.SpanKind.CLIENT
    assert span.parent is not None
    assert span.parent.span_id == call.get_span_context().span_id
    assert (span.attributes or {})["http.response.status_code"] == 200
    shown = span.to_json()
    assert not [secret for secret in secrets(operator, [fresh]) if secret in shown]


async def test_no_failure_shows_a_secret(
    operator: Operator, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither its text nor its details, nor a span, nor the log, whatever the server answers."""
    caplog.set_level("DEBUG")
    exporter, provider = traced()
    shown = ""
    echo = operator.authorization.grants.client_secret
    refusals = [AnswerWith(status=status, body={"error": echo}) for status in (400, 403, 500)]
    answers: list[Fault] = [*LOST.values(), *refusals]
    for fault in answers:
        operator.authorize()
        operator.authorization.faults.add(fault, "POST", TOKEN)
        async with operator.tokens(store, provider) as tokens:
            error = await failure(tokens)
            shown += f"{error!r}{error.message}{error.hint}{error.details}{tokens!r}"
    shown += caplog.text + "".join(span.to_json() for span in exporter.get_finished_spans())
    assert not [secret for secret in secrets(operator) if secret in shown]


def secrets(operator: Operator, more: Iterable[str] = ()) -> list[str]:
    """Return every secret that the authorization server was ever sent, and some more."""
    sent = [one.body.decode() for one in operator.authorization.renewals]
    fields = [pair.partition("=") for form in sent for pair in form.split("&")]
    found = {
        value for name, _, value in fields if name in {"refresh_token", "client_secret"} and value
    }
    return [*found, operator.authorization.grants.client_secret, *more]


ACCOUNT = Account(id=195539477, name="Honcho", href="https://3.basecampapi.com/195539477")
OTHER = Account(id=2, name="Trial\u202e", href="https://3.basecampapi.com/2")
CLASSIC = Account(id=3, name="Old", href="https://basecamp.com/3", product="bcx")


async def test_the_account_of_a_token_is_found(operator: Operator, store: Store) -> None:
    """The one of this Basecamp, among those of older products; asked for once."""
    operator.authorization.grants.accounts = [CLASSIC, ACCOUNT]
    async with operator.discovery(store) as discovery:
        account = await discovery.account()
        assert await discovery.account() == account
    assert (account.id, account.name, account.href) == (195539477, "Honcho", ACCOUNT.href)
    assert len(operator.authorization.requests) == 1


async def test_many_who_need_the_account_at_once_ask_once(operator: Operator, store: Store) -> None:
    """The first calls of a server come together, and one that leaves takes nobody along."""
    operator.authorization.grants.accounts = [ACCOUNT]
    gate = operator.authorization.faults.hold("GET", DISCOVERY)
    async with (
        asyncio.timeout(5),
        operator.discovery(store) as discovery,
        asyncio.TaskGroup() as tasks,
    ):
        first = tasks.create_task(discovery.account())
        await gate.reached()
        others = [tasks.create_task(discovery.account()) for _ in range(20)]
        await asyncio.sleep(0)
        first.cancel()
        gate.release()
    assert {one.result().id for one in others} == {ACCOUNT.id}
    assert len(operator.authorization.requests.matching("GET", DISCOVERY)) <= 2


async def test_a_token_that_has_ended_is_renewed_for_the_question(
    operator: Operator, store: Store
) -> None:
    """The account stays the same with the next token, and is not asked for again."""
    grants = operator.authorization.grants
    grants.accounts = [ACCOUNT]
    async with operator.discovery(store) as discovery:
        tokens = discovery.transport.credentials
        grants.expire(token_of(await tokens.get()))
        authorization = await discovery.authorization()
        assert authorization.identity.email_address == "jason@basecamp.example"
        assert authorization.expires_at is not None
        assert (await discovery.account()).id == ACCOUNT.id
        operator.clock.advance(3600)
        grants.expire(token_of(await tokens.get()))
        assert (await discovery.account()).id == ACCOUNT.id
    assert len(operator.authorization.requests.matching("GET", DISCOVERY)) == 3
    assert grants.renewed == 1


async def test_several_accounts_are_listed_for_the_operator_to_choose(
    operator: Operator, store: Store
) -> None:
    """By name and number, without what a name hides."""
    operator.authorization.grants.accounts = [ACCOUNT, OTHER]
    async with operator.discovery(store) as discovery:
        with pytest.raises(CredentialsMissing, match="BASECAMP_ACCOUNT_ID") as caught:
            await discovery.account()
    assert "Honcho (195539477), Trial (2)" in caught.value.message
    assert caught.value.details["accounts"] == [
        {"id": 195539477, "name": "Honcho"},
        {"id": 2, "name": "Trial"},
    ]


async def test_a_token_without_any_account_is_told(operator: Operator, store: Store) -> None:
    """Nothing that is configured mends it but another person's token."""
    operator.authorization.grants.accounts = [CLASSIC]
    async with operator.discovery(store) as discovery:
        with pytest.raises(PermissionDenied):
            await discovery.account()


@pytest.mark.parametrize(
    ("status", "kind"),
    [(404, UpstreamUnavailable), (429, RateLimited), (503, UpstreamUnavailable)],
)
async def test_a_server_that_does_not_tell_accounts_is_told(
    operator: Operator, store: Store, status: int, kind: type[TrunklineError]
) -> None:
    """The variable that makes the question unnecessary is in the hint of the one that never can."""
    operator.authorization.faults.add(AnswerWith(status=status), "GET", DISCOVERY, times=9)
    async with operator.discovery(store) as discovery:
        with pytest.raises(kind) as caught:
            await discovery.account()
    if not caught.value.retryable:
        assert "BASECAMP_ACCOUNT_ID" in (caught.value.hint or "")

"""Many want another Basecamp token at once: one request, and the new token is kept before use."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interaction.basecamp_tokens import Operator, refuse, token_of
from tests.redis_process import RedisProcess
from trunkline_project_reader.tokens.provider import BasecampTokens
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import InternalError, UpstreamTimeout, UpstreamUnavailable
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.outage import PAUSE_S
from trunkline_shared.store.record_port import LEASE_S, Record
from trunkline_shared.store.redis_records import HOLDS
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import TWO_WEEKS_S, Grants
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.stand_in.gates import Point

pytestmark = pytest.mark.anyio


@pytest.fixture
async def operator(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Operator]:
    """An operator of servers beside an authorization server, which let the client in."""
    clock = FakeClock()
    async with (
        AuthorizationStandIn(grants=Grants(clock=clock)) as authorization,
        asyncio.timeout(30),
    ):
        operator = Operator(authorization=authorization, clock=clock, monkeypatch=monkeypatch)
        operator.authorize()
        yield operator


def in_folder(folder: Path) -> StoreSettings:
    return load(StoreSettings, {"redis_url": "", "state_dir": str(folder)})


def spoiled_record(folder: Path) -> Path:
    """Put something in the place of the one record that no file can replace."""
    (record,) = folder.rglob("*.record")
    record.unlink()
    record.mkdir()
    return record


async def begun(tokens: BasecampTokens) -> None:
    """Let everybody else go on until a renewal runs, of which there is one at most."""
    for _ in range(10_000):
        if tokens.flights.running:
            return
        await asyncio.sleep(0)
    raise AssertionError("no renewal was begun")


@pytest.mark.requirement("basecamp.refresh-once")
async def test_many_callers_of_one_server_are_one_request(operator: Operator) -> None:
    """All of them are refused, all ask for another token, and all get the same one."""
    gate = operator.authorization.hold_renewals()
    async with operator.tokens(in_process_store()) as tokens:
        refused = await tokens.get()
        async with asyncio.TaskGroup() as tasks:
            waiting = [tasks.create_task(refuse(tokens, refused)) for _ in range(20)]
            await gate.reached()
            gate.release()
    fresh = {one.result() for one in waiting}
    assert len(fresh) == 1
    assert operator.authorization.is_valid(fresh.pop())
    assert len(operator.authorization.renewals) == 1


@pytest.mark.requirement("basecamp.refresh-once")
async def test_servers_that_share_a_store_are_one_request(
    operator: Operator, tmp_path: Path
) -> None:
    """Each holds the old token; the one that comes second finds the new one in the store."""
    gate = operator.authorization.hold_renewals()
    async with AsyncExitStack() as opened, asyncio.TaskGroup() as tasks:
        servers: list[BasecampTokens] = []
        for _ in range(3):
            store = await opened.enter_async_context(open_store(in_folder(tmp_path)))
            servers.append(await opened.enter_async_context(operator.tokens(store)))
        refused = [await tokens.get() for tokens in servers]
        waiting = [
            tasks.create_task(refuse(tokens, old))
            for tokens, old in zip(servers, refused, strict=True)
        ]
        await gate.reached()
        for tokens in servers:
            await begun(tokens)
        gate.release()
    assert len({one.result() for one in waiting}) == 1
    assert len(operator.authorization.renewals) == 1


async def test_a_server_whose_token_another_one_renewed_asks_nobody(operator: Operator) -> None:
    """Also without a refusal: when its own is due, the store is looked at first."""
    store = in_process_store()
    operator.authorize(without=["ACCESS_TOKEN"])
    async with operator.tokens(store) as one, operator.tokens(store) as other:
        first = token_of(await one.get())
        assert token_of(await other.get()) == first
        operator.clock.advance(TWO_WEEKS_S - 60)
        second = token_of(await one.get())
        assert token_of(await other.get()) == second != first
    assert operator.authorization.grants.renewed == 2


async def test_a_caller_that_leaves_takes_nobody_along(operator: Operator) -> None:
    """The renewal that it began goes on, is kept, and serves who comes next."""
    gate = operator.authorization.hold_renewals(Point.APPLIED)
    async with operator.tokens(in_process_store()) as tokens:
        refused = await tokens.get()
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(refuse(tokens, refused))
            await gate.reached()
            waiting.cancel()
        assert waiting.cancelled()
        gate.release()
        assert operator.authorization.is_valid(await refuse(tokens, refused))
    assert len(operator.authorization.renewals) == 1


async def test_a_caller_waits_no_longer_than_its_deadline(operator: Operator) -> None:
    """TIMEOUT for it, and the renewal goes on with a time of its own."""
    gate = operator.authorization.hold_renewals()
    async with operator.tokens(in_process_store()) as tokens:
        refused = await tokens.get()
        with deadline_in(0.2), pytest.raises(UpstreamTimeout) as caught:
            await refuse(tokens, refused)
        assert caught.value.details["phase"] == "held"
        gate.release()
        assert operator.authorization.is_valid(await refuse(tokens, refused))
    assert len(operator.authorization.renewals) == 1


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_a_server_that_ends_waits_for_its_renewal(operator: Operator) -> None:
    """What the authorization server has given is kept before the last light goes out."""
    gate = operator.authorization.hold_renewals(Point.APPLIED)
    store = in_process_store()
    async with asyncio.TaskGroup() as tasks, operator.tokens(store) as tokens:
        refused = await tokens.get()
        waiting = tasks.create_task(refuse(tokens, refused))
        await gate.reached()
        waiting.cancel()
        tasks.create_task(_release_later(gate.release))
    async with operator.tokens(store) as tokens:
        assert operator.authorization.is_valid(token_of(await tokens.get()))
    assert operator.authorization.grants.reused == 0


async def test_a_server_that_ends_waits_no_longer_than_it_may(operator: Operator) -> None:
    """A renewal that hangs is given up; its refresh token is tried again by the next process."""
    operator.authorization.grants.rotates = False
    gate = operator.authorization.hold_renewals()
    store = in_process_store()
    async with asyncio.TaskGroup() as tasks, operator.tokens(store) as tokens:
        waiting = tasks.create_task(refuse(tokens, await tokens.get()))
        await gate.reached()
        waiting.cancel()
    operator.authorization.faults.clear()
    async with operator.tokens(store) as tokens:
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))


class Faulty:
    """Records with a bug."""

    async def read(self, key: str) -> bytes | None:
        return None

    def held(
        self, key: str, *, wait_s: float, lease_s: float = LEASE_S
    ) -> AbstractAsyncContextManager[Record]:
        raise ZeroDivisionError


async def test_a_bug_of_ours_costs_the_calls_that_wait_and_not_the_server(
    operator: Operator,
) -> None:
    """INTERNAL_ERROR with the id that is in the log; everything else goes on."""
    store = replace(in_process_store(), records=Faulty())
    async with operator.tokens(store) as tokens:
        refused = await tokens.get()
        with pytest.raises(InternalError) as caught:
            await refuse(tokens, refused)
        assert caught.value.details["id"]
        assert token_of(await tokens.get()) == token_of(refused)


async def _release_later(release: Callable[[], None]) -> None:
    for _ in range(100):
        await asyncio.sleep(0)
    release()


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_nothing_is_spent_when_the_store_cannot_be_written(
    operator: Operator, tmp_path: Path
) -> None:
    """The directory is named with its variable; the refresh token stays good."""
    (tmp_path / "state").touch()
    folder = in_folder(tmp_path / "state")
    async with open_store(folder) as store, operator.tokens(store) as tokens:
        refused = await tokens.get()
        with pytest.raises(UpstreamUnavailable, match="TRUNKLINE_STATE_DIR") as caught:
            await refuse(tokens, refused)
        assert caught.value.details["phase"] == "held"
        assert not operator.authorization.requests
        (tmp_path / "state").unlink()
        assert operator.authorization.is_valid(await refuse(tokens, refused))


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_a_token_that_could_not_be_kept_is_not_used_until_it_is(
    operator: Operator, tmp_path: Path
) -> None:
    """The disk fails between answer and write: no request goes out with it, and none is lost."""
    gate = operator.authorization.hold_renewals(Point.APPLIED)
    async with open_store(in_folder(tmp_path)) as store, operator.tokens(store) as tokens:
        refused = await tokens.get()
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(_failure(tokens))
            await gate.reached()
            record = spoiled_record(tmp_path)
            gate.release()
        assert waiting.result().details["reason"] == "state_dir"
        with pytest.raises(UpstreamUnavailable):
            await tokens.get()
        record.rmdir()
        fresh = token_of(await tokens.get())
        assert fresh != token_of(refused)
        assert operator.authorization.is_valid(fresh)
    assert len(operator.authorization.renewals) == 1
    async with open_store(in_folder(tmp_path)) as store, operator.tokens(store) as tokens:
        assert token_of(await tokens.get()) == fresh


async def _failure(tokens: BasecampTokens) -> UpstreamUnavailable:
    with pytest.raises(UpstreamUnavailable) as caught:
        await refuse(tokens, await tokens.get())
    return caught.value


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_a_token_that_could_not_be_kept_is_kept_at_the_end(
    operator: Operator, tmp_path: Path
) -> None:
    """A server that is stopped meanwhile makes one last attempt."""
    gate = operator.authorization.hold_renewals(Point.APPLIED)
    async with open_store(in_folder(tmp_path)) as store:
        async with operator.tokens(store) as tokens, asyncio.TaskGroup() as tasks:
            tasks.create_task(_failure(tokens))
            await gate.reached()
            record = spoiled_record(tmp_path)
            gate.release()
            await asyncio.wait(tokens.flights.running.values())
            record.rmdir()
        async with operator.tokens(store) as tokens:
            assert operator.authorization.is_valid(token_of(await tokens.get()))
    assert len(operator.authorization.renewals) == 1


async def test_a_token_that_is_lost_for_ever_is_told_to_the_operator(
    operator: Operator, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says what to do, and holds no token."""
    gate = operator.authorization.hold_renewals(Point.APPLIED)
    async with open_store(in_folder(tmp_path)) as store:
        async with operator.tokens(store) as tokens, asyncio.TaskGroup() as tasks:
            tasks.create_task(_failure(tokens))
            await gate.reached()
            spoiled_record(tmp_path)
            gate.release()
        kept = tokens.memory.grant
    assert kept is not None
    assert "set BASECAMP_REFRESH_TOKEN" in caplog.text
    assert kept.refresh_token not in caplog.text
    assert kept.access_token not in caplog.text


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_a_redis_that_dies_during_the_renewal_costs_no_token(
    operator: Operator, redis_process: RedisProcess
) -> None:
    """It comes back empty: what this process knows is kept there first, and then used."""
    gate = operator.authorization.hold_renewals(Point.APPLIED)
    async with (
        open_store(redis_process.settings, operator.clock) as store,
        operator.tokens(store) as tokens,
    ):
        await tokens.get()
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(_failure(tokens))
            await gate.reached()
            redis_process.kill()
            gate.release()
        assert waiting.result().details["reason"] == "store_away"
        with pytest.raises(UpstreamUnavailable):
            await tokens.get()
        redis_process.start()
        operator.clock.advance(PAUSE_S)
        fresh = token_of(await tokens.get())
        assert operator.authorization.is_valid(fresh)
        async with (
            open_store(redis_process.settings, operator.clock) as another,
            operator.tokens(another) as others,
        ):
            assert token_of(await others.get()) == fresh
    assert len(operator.authorization.renewals) == 1


async def test_a_redis_that_forgot_everything_is_told_again(
    operator: Operator, redis_process: RedisProcess
) -> None:
    """The next renewal goes on from what this process knows, not from what is configured."""
    async with (
        open_store(redis_process.settings, operator.clock) as store,
        operator.tokens(store) as tokens,
    ):
        await refuse(tokens, await tokens.get())
        with redis_process.look() as client:
            client.flushall()
        operator.clock.advance(3600)
        assert operator.authorization.is_valid(await refuse(tokens, await tokens.get()))
    assert operator.authorization.grants.reused == 0


async def test_without_its_store_a_configured_access_token_is_still_good(
    operator: Operator, redis_process: RedisProcess
) -> None:
    """Nothing is spent by using it; renewing it is refused at once, and nothing is sent."""
    redis_process.kill()
    async with (
        open_store(redis_process.settings, operator.clock) as store,
        operator.tokens(store) as tokens,
    ):
        credential = await tokens.get()
        assert operator.authorization.is_valid(token_of(credential))
        assert (await _failure(tokens)).details["reason"] == "store_away"
    assert not operator.authorization.requests


async def test_a_hold_that_was_lost_on_the_way_loses_no_token(
    operator: Operator, redis_process: RedisProcess
) -> None:
    """The write is refused; the token is kept under a hold of its own, then used."""
    gate = operator.authorization.hold_renewals(Point.APPLIED)
    async with (
        open_store(redis_process.settings, operator.clock) as store,
        operator.tokens(store) as tokens,
    ):
        refused = await tokens.get()
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(refuse(tokens, refused))
            await gate.reached()
            with redis_process.look() as client:
                assert client.delete(*client.scan_iter(f"{HOLDS}*")) == 1
            gate.release()
        assert operator.authorization.is_valid(waiting.result())
    async with (
        open_store(redis_process.settings, operator.clock) as store,
        operator.tokens(store) as tokens,
    ):
        assert token_of(await tokens.get()) == waiting.result()
    assert len(operator.authorization.renewals) == 1


@pytest.mark.parametrize("kind", ["files", "redis"])
async def test_whoever_finds_the_store_finds_no_token(
    kind: str, operator: Operator, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The record is sealed with the configured refresh token, which the store does not have."""
    given = in_folder(tmp_path)
    if kind == "redis":
        given = request.getfixturevalue("redis_process").settings
    async with open_store(given, operator.clock) as store, operator.tokens(store) as tokens:
        fresh = await refuse(tokens, await tokens.get())
        kept = tokens.memory.grant
        assert kept is not None
        (key,) = {tokens.memory.key}
        value = await store.records.read(key)
    assert value is not None
    (request_sent,) = operator.authorization.renewals
    sent = parse_qs(request_sent.body.decode())["refresh_token"][0]
    for secret in (fresh, kept.refresh_token, sent):
        assert secret.encode() not in value
        assert secret not in key
        assert secret not in repr((tokens, kept, store))


async def test_a_record_that_somebody_spoiled_is_told_and_not_believed(
    operator: Operator, caplog: pytest.LogCaptureFixture
) -> None:
    """The configured token is used; what is written then replaces it."""
    store = in_process_store()
    async with operator.tokens(store) as tokens:
        await refuse(tokens, await tokens.get())
        key = tokens.memory.key
    granted = operator.authorization.grants
    async with store.records.held(key, wait_s=1) as record:
        sealed = await record.read()
        assert sealed is not None
        await record.write(sealed[:-1] + bytes([sealed[-1] ^ 1]))
    async with operator.tokens(store) as tokens:
        assert not granted.is_valid(token_of(await tokens.get()))
    assert f"record {key} cannot be read" in caplog.text


STEPS = st.lists(
    st.tuples(st.sampled_from(["call", "expire", "restart", "late", "both"]), st.integers(0, 1)),
    max_size=12,
)


@given(steps=STEPS)
@settings(max_examples=60)
def test_in_any_history_of_two_servers_no_refresh_token_is_spent_twice(
    steps: list[tuple[str, int]],
) -> None:
    """And every call ends with a token that is valid."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        asyncio.run(_history(monkeypatch, steps))


async def _history(monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, int]]) -> None:
    clock, store = FakeClock(), in_process_store()
    async with (
        AuthorizationStandIn(grants=Grants(clock=clock)) as authorization,
        AsyncExitStack() as opened,
        asyncio.timeout(20),
    ):
        operator = Operator(authorization=authorization, clock=clock, monkeypatch=monkeypatch)
        operator.authorize()
        servers = [await opened.enter_async_context(operator.tokens(store)) for _ in range(2)]
        for step, who in steps:
            clock.advance(60)
            match step:
                case "expire":
                    authorization.grants.expire(token_of(await servers[who].get()))
                case "restart":
                    servers[who] = await opened.enter_async_context(operator.tokens(store))
                case "late":
                    clock.advance(TWO_WEEKS_S)
                case "both":
                    await asyncio.gather(*(_call(authorization, one) for one in servers))
                case _:
                    await _call(authorization, servers[who])
        assert authorization.grants.reused == 0


async def _call(authorization: AuthorizationStandIn, tokens: BasecampTokens) -> None:
    """Ask as a request does: with the present token, and with a better one for each refused."""
    credential = await tokens.get()
    refusals = 0
    while not authorization.is_valid(token_of(credential)):
        refusals += 1
        better = await tokens.renewed(credential, status=401, refusals=refusals)
        assert better is not None
        credential = better

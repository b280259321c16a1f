"""Who is let in follows the configuration that holds at the moment."""

import math
from dataclasses import dataclass, field, replace

import pytest

from tests.interaction.keys import entry, key_of
from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.browser_sessions import BrowserSessions
from trunkline_router.access.job_tokens import PURPOSE, JobTokens
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.live import Live
from trunkline_router.identity.callers import Callers, Signed
from trunkline_router.identity.recent_callers import RecentCallers
from trunkline_router.model import Caller
from trunkline_router.wire.refusal import Refused
from trunkline_shared.signing import SigningKeys, SigningSettings
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

OPEN = Configuration()
ONE = Configuration.model_validate({"keys": [entry("one")]})
OTHER = Configuration.model_validate({"keys": [entry("one", "AnotherSecret"), entry("two")]})


@dataclass(frozen=True, kw_only=True)
class Counted:
    """A verifier that knows everybody, and counts who asks."""

    until: float = math.inf
    asked: list[str | None] = field(default_factory=list)

    async def verify(self, bearer: str | None) -> Caller:
        self.asked.append(bearer)
        if bearer == "bad":
            raise Refused(-32600, "bad", status=401)
        return Caller(subject=str(bearer)[:4], scopes=frozenset(), until=self.until)


def callers_of(live: Live[Configuration]) -> Callers:
    base, clock = "http://127.0.0.1:1", FakeClock()
    signing = SigningKeys.of(SigningSettings.model_validate({"secret": "a-secret-of-a-test"}))
    tokens = JobTokens(keys=signing.derived(PURPOSE), base=base, clock=clock)
    sessions = BrowserSessions(keys=signing.derived("dashboard sessions"), clock=clock)
    signed = Signed(jobs=tokens, sessions=sessions)
    return Callers(live, signed, KeyRing(live), base=base, clock=clock)


@pytest.mark.requirement("gateway.keys")
async def test_a_changed_key_ends_at_once_and_a_new_one_begins() -> None:
    """Nothing of the configuration before is remembered."""
    live = Live(ONE)
    callers = callers_of(live)
    assert (await callers.verify(key_of("one"))).subject == "one"
    live.replace(OTHER)
    with pytest.raises(Refused, match="not valid"):
        await callers.verify(key_of("one"))
    assert (await callers.verify(key_of("one", "AnotherSecret"))).subject == "one"
    assert (await callers.verify(key_of("two"))).subject == "two"


@pytest.mark.requirement("gateway.keys")
async def test_the_first_key_closes_the_door_of_a_running_router() -> None:
    """And the last one that is taken away opens it, on loopback."""
    live = Live(OPEN)
    callers = callers_of(live)
    assert (await callers.verify(None)).subject == "local"
    live.replace(ONE)
    with pytest.raises(Refused) as refused:
        await callers.verify(None)
    assert refused.value.status == 401
    live.replace(OPEN)
    assert (await callers.verify("whatever")).subject == "local"


async def test_a_good_token_is_checked_once_a_minute() -> None:
    """A bad one each time."""
    clock, known = FakeClock(), Counted()
    remembered = RecentCallers(known, clock)
    for _ in range(3):
        assert (await remembered.verify("good")).subject == "good"
        with pytest.raises(Refused):
            await remembered.verify("bad")
    assert known.asked == ["good", "bad", "bad", "bad"]
    clock.advance(61)
    await remembered.verify("good")
    assert known.asked.count("good") == 2


async def test_no_token_is_remembered_beyond_its_own_end() -> None:
    """Its verifier says that it has ended, in its own words."""
    clock = FakeClock()
    known = Counted(until=clock.monotonic() + 5)
    remembered = RecentCallers(known, clock)
    await remembered.verify("short")
    clock.advance(5)
    await remembered.verify("short")
    assert len(known.asked) == 2


async def test_what_is_remembered_is_bounded() -> None:
    """However many tokens there are; and no token is kept as it is."""
    known = Counted()
    remembered = RecentCallers(known, FakeClock())
    for number in range(5000):
        await remembered.verify(f"token-{number}")
    await remembered.verify("token-4999")
    await remembered.verify("token-0")
    assert len(known.asked) == 5001
    known.asked.clear()
    assert "token-4999" not in repr(vars(remembered))


async def test_a_caller_says_nothing_of_its_token() -> None:
    """What is logged of a caller is its name."""
    caller = await callers_of(Live(ONE)).verify(key_of("one"))
    assert key_of("one") not in repr(replace(caller, depth=1))

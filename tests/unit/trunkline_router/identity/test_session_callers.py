"""Whom a session names: whoever logged in, as far as the configuration of the moment goes."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.interaction.keys import entry
from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.browser_sessions import PURPOSE, BrowserSession, BrowserSessions
from trunkline_router.configuration.entries import Configuration, OAuthEntry
from trunkline_router.configuration.live import Live
from trunkline_router.identity.bearer import SESSION
from trunkline_router.identity.session_callers import SessionCallers, mark_of_issuer
from trunkline_router.model import Caller
from trunkline_router.wire.refusal import Refused
from trunkline_shared.signing import SigningKeys
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

ISSUER = OAuthEntry(issuer="https://login.example")
BOTH: dict[str, Any] = {"keys": [entry("eye", scopes=["observe"])], "oauth": ISSUER}


@dataclass(kw_only=True)
class Known:
    """The sessions of a router whose configuration a test replaces."""

    live: Live[Configuration] = field(
        default_factory=lambda: Live(Configuration.model_validate(BOTH))
    )
    clock: FakeClock = field(default_factory=FakeClock)

    def __post_init__(self) -> None:
        keys = SigningKeys((b"a secret of a test",)).derived(PURPOSE)
        self.keys = KeyRing(self.live)
        self.sessions = BrowserSessions(keys=keys, clock=self.clock)
        self.callers = SessionCallers(
            sessions=self.sessions,
            keys=self.keys,
            issuer=lambda: self.live.now.oauth,
            clock=self.clock,
        )

    def of_a_key(self, lasts_s: float = 60) -> str:
        """Return the session of whoever showed the key."""
        mark = self.keys.mark_of("eye")
        return self._written(lasts_s, subject="eye", key="eye", mark=mark, scopes=("admin",))

    def of_a_token(self, lasts_s: float = 60) -> str:
        """Return the session of whoever showed an access token."""
        given = {"subject": "oauth:alice", "key": None, "scopes": ("observe", "tools")}
        return self._written(lasts_s, mark=mark_of_issuer(ISSUER), **given)

    async def caller(self, session: str) -> Caller:
        return await self.callers.verify(SESSION + session)

    def reconfigure(self, **changes: object) -> None:
        """Put another configuration in force."""
        self.live.replace(Configuration.model_validate(BOTH | changes))

    def _written(self, lasts_s: float, **given: Any) -> str:
        expires = self.clock.now() + lasts_s
        return self.sessions.written(BrowserSession(expires=expires, **given))


@pytest.mark.requirement("seeing.session")
async def test_a_key_s_session_has_what_the_key_has_now() -> None:
    """Scopes, globs, bindings and rate are read in the configuration, none in the session."""
    known = Known()
    session = known.of_a_key()
    assert (await known.caller(session)).scopes == {"observe"}
    known.reconfigure(keys=[entry("eye", scopes=["tools"], bind={"owner": "acme"}, tools="search")])
    caller = await known.caller(session)
    assert (caller.subject, caller.key, sorted(caller.scopes)) == ("eye", "eye", ["tools"])
    assert (caller.context.get("owner"), caller.searches) == ("acme", True)


@pytest.mark.requirement("seeing.session")
@pytest.mark.parametrize(
    "keys", [[], [entry("eye", "AnotherSecret", scopes=["observe"])], [entry("other")]]
)
async def test_a_key_s_session_ends_with_the_key(keys: list[object]) -> None:
    """Revoked, made anew, or replaced by another."""
    known = Known()
    session = known.of_a_key()
    known.reconfigure(keys=keys)
    with pytest.raises(Refused, match="has ended"):
        await known.caller(session)


@pytest.mark.requirement("seeing.session")
@pytest.mark.parametrize(
    "oauth",
    [
        None,
        {"issuer": "https://another.example"},
        {"issuer": "https://login.example", "audience": "https://other.example/mcp"},
        {"issuer": "https://login.example", "required_scopes": ["more"]},
    ],
)
async def test_a_token_s_session_ends_with_the_trust_in_its_issuer(oauth: object) -> None:
    """Whatever changes about whose tokens are taken: log in again."""
    known = Known()
    session = known.of_a_token()
    caller = await known.caller(session)
    assert (caller.subject, caller.key) == ("oauth:alice", None)
    assert sorted(caller.scopes) == ["observe", "tools"]
    known.reconfigure(keys=[entry("new")])
    assert await known.caller(session) == caller
    known.reconfigure(oauth=oauth)
    with pytest.raises(Refused, match="has ended"):
        await known.caller(session)


async def test_a_caller_knows_when_the_session_ends() -> None:
    """In monotonic seconds, which streams that stand open go by."""
    known = Known()
    for session in (known.of_a_key(90), known.of_a_token(90)):
        assert (await known.caller(session)).until == known.clock.monotonic() + 90


async def test_a_session_without_a_mark_is_none() -> None:
    """One of a time without keys, when everybody was let in, is worth nothing later."""
    known = Known()
    written = BrowserSession(subject="gone", key="gone", mark="", expires=9e12)
    with pytest.raises(Refused):
        await known.caller(known.sessions.written(written))
    known.reconfigure(oauth=None)
    nobody = BrowserSession(subject="x", key=None, mark="", scopes=("admin",), expires=9e12)
    with pytest.raises(Refused):
        await known.caller(known.sessions.written(nobody))

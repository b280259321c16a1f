"""A job token ends with its key, and is narrowed whenever its key is."""

from collections.abc import Mapping

import pytest

from tests.interaction import keys
from trunkline_router.access.api_keys import KeyRing, caller_of
from trunkline_router.access.contexts import Contexts, read_wanted
from trunkline_router.access.job_tokens import PURPOSE, JobTokens
from trunkline_router.access.repositories import RepositoryGuard
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.live import Live
from trunkline_router.identity.job_callers import JobCallers
from trunkline_router.identity.local_callers import LocalCallers
from trunkline_router.model import Caller
from trunkline_router.rights import Rights
from trunkline_router.wire.refusal import Refused
from trunkline_shared.signing import SigningKeys, SigningSettings
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

GLOBS = ["mcp__github_*"]


def configuration(*entries: Mapping[str, object]) -> Configuration:
    return Configuration.model_validate({"keys": list(entries)})


class Minting:
    """What mints and knows tokens, over a configuration that a test replaces."""

    def __init__(self, *entries: Mapping[str, object]) -> None:
        signing = SigningKeys.of(SigningSettings.model_validate({"secret": "a-secret-of-a-test"}))
        self.clock = FakeClock()
        self.live = Live(configuration(*entries))
        ring = KeyRing(self.live)
        tokens = JobTokens(keys=signing.derived(PURPOSE), base="http://mesh", clock=self.clock)
        self.known = JobCallers(tokens=tokens, keys=ring, others=LocalCallers(), clock=self.clock)
        self.contexts = Contexts(
            tokens=tokens,
            keys=ring,
            repositories=RepositoryGuard(),
            clock=self.clock,
            url="http://mesh/mcp",
        )

    def token(self, caller: Caller | None = None, **asked: object) -> str:
        whose = caller or caller_of(self.live.now.keys[0])
        return str(self.contexts.minted(whose, read_wanted(asked))["token"])

    async def refused(self, token: str) -> Refused:
        with pytest.raises(Refused) as caught:
            await self.known.verify(token)
        assert caught.value.status == 401
        return caught.value


def bot(**given: object) -> Mapping[str, object]:
    return {**keys.entry("bot"), "scopes": ["tools", "contexts"], **given}


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_a_token_of_a_key_that_is_gone_or_another_is_refused() -> None:
    """Revoked, or made anew under the same id; while it stands as it was, the token holds."""
    here = Minting(bot())
    token = here.token(tools=GLOBS)
    assert (await here.known.verify(token)).key == "bot"
    here.live.replace(configuration(bot(), keys.entry("other", "another-secret")))
    assert (await here.known.verify(token)).subject == "bot"
    here.live.replace(configuration(keys.entry("bot", "a-new-secret-part")))
    assert "revoked or changed" in (await here.refused(token)).message
    here.live.replace(configuration(keys.entry("other")))
    await here.refused(token)


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_what_is_taken_from_a_key_is_taken_from_its_tokens() -> None:
    """Globs, bindings, scopes, toolsets and limits of the key count as they are now."""
    here = Minting(bot())
    token = here.token(tools=GLOBS)
    narrower = bot(
        deny=["mcp__github_ci__*"],
        bind={"owner": "acme"},
        toolsets=["default"],
        rate={"per_minute": 5},
    )
    here.live.replace(configuration(narrower))
    caller = await here.known.verify(token)
    assert caller.context.get("owner") == "acme"
    assert caller.rate is not None
    assert caller.rate.per_minute == 5
    assert caller.rights.permit("github_comment", "list_comments")
    assert not caller.rights.permit("github_ci", "get_ci_status")
    assert not caller.rights.permit("github_comment", "react", "reactions")
    assert not caller.rights.permit("jira", "get_jira_issue")
    here.live.replace(configuration(bot(scopes=["observe"])))
    assert (await here.known.verify(token)).scopes == frozenset()


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_a_key_bound_to_something_else_by_now_ends_its_tokens() -> None:
    """No call could be within both."""
    here = Minting(bot())
    token = here.token(bind={"owner": "acme"})
    here.live.replace(configuration(bot(bind={"owner": "octo"})))
    await here.refused(token)


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_a_token_lives_no_longer_than_who_asked_for_it() -> None:
    """An access token that ends in a minute mints nothing that lasts longer."""
    here = Minting(bot())
    person = Caller(
        subject="https://login.example#ada",
        scopes=frozenset({"tools", "contexts"}),
        rights=Rights(allow=(("mcp__jira__*",),)),
        until=here.clock.monotonic() + 60,
    )
    token = here.token(person, ttl_s=3600)
    caller = await here.known.verify(token)
    assert caller.until == pytest.approx(here.clock.monotonic() + 60)
    assert caller.rights.permit("jira", "get_jira_issue")
    assert not caller.rights.permit("github", "get_pr")
    here.clock.advance(60)
    assert "expired" in (await here.refused(token)).message


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_a_token_of_times_without_keys_ends_with_them() -> None:
    """Once callers have to say who they are, nobody is the local one any more."""
    here = Minting()
    local = await LocalCallers().verify(None)
    token = here.token(local, tools=GLOBS)
    assert not (await here.known.verify(token)).rights.permit("jira", "get_jira_issue")
    here.live.replace(configuration(bot()))
    await here.refused(token)


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_a_keys_own_rules_are_not_repeated_in_its_tokens() -> None:
    """A long list of globs would make a token longer than a header may be."""
    many = [f"mcp__github__tool_{number}" for number in range(500)]
    here = Minting(bot(allow=many, deny=many[:100]))
    token = here.token(tools=GLOBS)
    assert len(token) < 1000
    caller = await here.known.verify(token)
    assert caller.rights.permit("github", "tool_499")
    assert not caller.rights.permit("github", "tool_1")

"""Basecamp credentials as a server opens them, against the stand-in that renews them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from trunkline_project_reader.tokens.discovery import Discovery, discovery_at
from trunkline_project_reader.tokens.opening import open_tokens
from trunkline_project_reader.tokens.provider import BasecampCredential, BasecampTokens
from trunkline_project_reader.tokens.settings import BasecampTokenSettings
from trunkline_shared.http.client import open_http
from trunkline_shared.settings import load
from trunkline_shared.store.store import Store
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import Granted
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.vendor.credential import Credential

AGENT = "Trunkline/test (https://example.com)"
SECRETS = ("ACCESS_TOKEN", "REFRESH_TOKEN", "CLIENT_ID", "CLIENT_SECRET")


def traced() -> tuple[InMemorySpanExporter, TracerProvider]:
    """Return what sees every span of a provider, and the provider."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter, provider


def token_of(credential: Credential | None) -> str:
    """Return the bare token."""
    assert credential is not None
    scheme, _, token = credential.authorization.partition(" ")
    assert scheme == "Bearer"
    return token


@dataclass(kw_only=True)
class Operator:
    """Who configures the server: sets variables, and lets the client in."""

    authorization: AuthorizationStandIn
    clock: FakeClock
    monkeypatch: pytest.MonkeyPatch = field(repr=False)

    def configure(self, **given: str) -> None:
        """Set these variables (without BASECAMP_), and no other."""
        for name in SECRETS:
            for variable in (f"BASECAMP_{name}", f"BASECAMP_{name}_FILE"):
                self.monkeypatch.delenv(variable, raising=False)
        for name, value in given.items():
            self.monkeypatch.setenv(f"BASECAMP_{name}", value)

    def authorize(self, *, without: Sequence[str] = ()) -> Granted:
        """Let the client in, and configure what it got, but for what is named."""
        grants = self.authorization.grants
        granted = grants.authorize()
        got = {
            "ACCESS_TOKEN": granted.access_token,
            "REFRESH_TOKEN": granted.refresh_token,
            "CLIENT_ID": grants.client_id,
            "CLIENT_SECRET": grants.client_secret,
        }
        self.configure(**{name: value for name, value in got.items() if name not in without})
        return granted

    @property
    def settings(self) -> BasecampTokenSettings:
        given = {
            "basecamp_token_url": self.authorization.token_url,
            "basecamp_token_resource": self.authorization.grants.resource,
        }
        return load(BasecampTokenSettings, given)

    @asynccontextmanager
    async def tokens(
        self, store: Store, provider: TracerProvider | None = None
    ) -> AsyncIterator[BasecampTokens]:
        """Open the credentials, as one server does."""
        async with open_http(self.clock) as opened:
            http = replace(opened, tracer=provider.get_tracer("test")) if provider else opened
            async with open_tokens(
                self.settings, store, http, user_agent=AGENT, clock=self.clock, closing_s=0.5
            ) as tokens:
                yield tokens

    @asynccontextmanager
    async def discovery(self, store: Store) -> AsyncIterator[Discovery]:
        """Open what finds the account of the configured token."""
        async with open_http(self.clock) as http, self.tokens(store) as tokens:
            yield discovery_at(
                self.settings.basecamp_token_url,
                tokens,
                http,
                user_agent=AGENT,
                clock=self.clock,
            )


async def refuse(tokens: BasecampTokens, refused: BasecampCredential) -> str:
    """Tell that Basecamp refused a credential, and return the token that comes in its place."""
    return token_of(await tokens.renewed(refused, status=401, refusals=1))

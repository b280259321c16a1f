"""Builds a GitHub from its settings; the only place that names its parts together."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github.allowed import AllowedRepositories
from trunkline_shared.github.base_url import Api
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.pacing import WritePace
from trunkline_shared.github.repository import Repositories
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.github.tokens.app import AppTokens, InstallationToken
from trunkline_shared.github.tokens.gh_cli import GhCli
from trunkline_shared.github.tokens.personal import PersonalTokens
from trunkline_shared.github.tokens.token import TokenProvider, token
from trunkline_shared.github.vendor import headers, vendor_at
from trunkline_shared.http.client import HttpClient, open_http
from trunkline_shared.http.etag_store import EtagStore
from trunkline_shared.http.outgoing import outgoing
from trunkline_shared.http.retry import Retry
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.store.store import Store
from trunkline_shared.vendor.callers_own import SOURCE, CallersOwn
from trunkline_shared.vendor.limit_windows import LimitWindows
from trunkline_shared.vendor.transport import Transport

USER_AGENT = f"trunkline/{version('trunkline-shared')}"


@asynccontextmanager
async def open_github(
    settings: GitHubSettings,
    store: Store,
    *,
    tokens: TokenProvider | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[GitHub]:
    """Open the GitHub that the settings name; its connections are closed at the end.

    Its writes keep one pace with all that share the store. `tokens` and `clock` stand in for the
    configured credentials and the machine's clock.
    """
    time = clock or SystemClock()
    api = Api.at(settings.github_api_url, settings.github_api_version)
    async with open_http(time) as http:
        retry = Retry(clock=time)
        own = tokens or configured_tokens(settings, api, _minting(http, api, retry), time)
        provider = CallersOwn(
            vendor="github", read=lambda given: token(given, SOURCE), otherwise=own
        )
        pace = WritePace(store=store, clock=time, interval_s=settings.github_write_interval_s)
        transport = Transport(
            http=http,
            vendor=vendor_at(api, USER_AGENT, pace),
            credentials=provider,
            retry=retry,
            etags=EtagStore(others=store.answers),
            windows=LimitWindows(vendor="GitHub", clock=time),
            slots=asyncio.Semaphore(settings.github_concurrency),
        )
        allowed = AllowedRepositories.of(settings.allowed_repos)
        yield GitHub(
            transport=transport,
            tokens=provider,
            repositories=Repositories(default=settings.github_repository, allowed=allowed),
        )


def configured_tokens(
    settings: GitHubSettings,
    api: Api,
    perform: Callable[[Endpoint[InstallationToken], str], Awaitable[InstallationToken]],
    clock: Clock,
) -> TokenProvider:
    """Return the App's tokens when an App id is set, else a person's or a workflow's."""
    if settings.github_app_id:
        return AppTokens(
            app_id=settings.github_app_id,
            installation_id=settings.github_app_installation_id,
            private_key=LiveSecret("TRUNKLINE_GITHUB_APP_PRIVATE_KEY"),
            perform=perform,
            clock=clock,
        )
    web = api.host.removeprefix("api.")
    return PersonalTokens(
        secret=LiveSecret("GITHUB_TOKEN", "GH_TOKEN"),
        gh=GhCli(host=web),
        netrc_file=settings.netrc or Path.home() / ".netrc",
        netrc_hosts=tuple(dict.fromkeys((api.host, web))),
        clock=clock,
    )


def _minting(
    http: HttpClient, api: Api, retry: Retry
) -> Callable[[Endpoint[InstallationToken], str], Awaitable[InstallationToken]]:
    """Return what performs an App's own requests, in its own name."""

    async def perform(endpoint: Endpoint[InstallationToken], assertion: str) -> InstallationToken:
        carried = headers(api, USER_AGENT, assertion)

        async def attempt(earlier: int) -> InstallationToken:
            url = api.url(endpoint.request)
            return endpoint.read(await http.send(outgoing(endpoint, url, carried, resend=earlier)))

        return await retry.run(endpoint, attempt)

    return perform

"""Opens the Basecamp credentials that are configured; names their parts together."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trunkline_project_reader.tokens.authorization_server import AuthorizationServer
from trunkline_project_reader.tokens.configured import AccessOnly, ConfiguredTokens
from trunkline_project_reader.tokens.flights import Flights
from trunkline_project_reader.tokens.keeping import GrantMemory
from trunkline_project_reader.tokens.provider import BasecampTokens
from trunkline_project_reader.tokens.renewal import Renewal
from trunkline_project_reader.tokens.settings import BasecampTokenSettings
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.errors import TrunklineError
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.retry import Retry
from trunkline_shared.store.store import Store
from trunkline_shared.together import together
from trunkline_shared.vendor.limit_windows import LimitWindows

CLOSING_S = 5.0
log = logging.getLogger(__name__)


@asynccontextmanager
async def open_tokens(
    settings: BasecampTokenSettings,
    store: Store,
    http: HttpClient,
    *,
    user_agent: str,
    clock: Clock | None = None,
    closing_s: float = CLOSING_S,
) -> AsyncIterator[BasecampTokens]:
    """Open the credentials; nothing is read or asked before the first request.

    The store must outlive the process wherever a refresh token is configured: what is made of
    that one is kept there, and nowhere else. A renewal that runs at the end is waited for,
    `closing_s` seconds at most.
    """
    time = clock or SystemClock()
    memory = GrantMemory()
    server = AuthorizationServer(
        http=http,
        retry=Retry(clock=time),
        windows=LimitWindows(vendor="Basecamp's authorization server", clock=time),
        clock=time,
        user_agent=user_agent,
    )
    renewal = Renewal(records=store.records, server=server, memory=memory, clock=time)
    async with together() as tasks:
        tokens = BasecampTokens(
            configured=ConfiguredTokens(
                token_url=settings.basecamp_token_url, resource=settings.basecamp_token_resource
            ),
            records=store.records,
            memory=memory,
            flights=Flights(renewal=renewal, tasks=tasks),
            clock=time,
        )
        try:
            yield tokens
        finally:
            await _close(tokens, closing_s)


async def _close(tokens: BasecampTokens, closing_s: float) -> None:
    await tokens.flights.close(closing_s)
    if tokens.memory.grant is None or tokens.memory.kept:
        return
    try:
        async with asyncio.timeout(closing_s):
            await _keep(tokens)
    except (TrunklineError, TimeoutError):
        log.exception(
            "the renewed Basecamp token could not be kept: authorize the client again, and set "
            "BASECAMP_REFRESH_TOKEN"
        )


async def _keep(tokens: BasecampTokens) -> None:
    source = tokens.configured.now()
    if not isinstance(source, AccessOnly):
        await tokens.flights.renewal.run(source, "")

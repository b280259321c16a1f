"""Builds a Jira from its settings; the only place that names its parts together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from trunkline_jira.address import site_name
from trunkline_jira.keys import KeyRules
from trunkline_jira.projects import AllowedProjects
from trunkline_jira.settings import JiraSettings
from trunkline_jira.site.client import Jira
from trunkline_jira.site.credentials import API_TOKEN, PERSONAL, USERNAME, JiraCredentials
from trunkline_jira.site.flavour import Deployment, Detection, deployment, server_info
from trunkline_jira.site.login import Login, logged_in
from trunkline_jira.site.vendor import vendor_at
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.cursor import Cursors
from trunkline_shared.http.client import open_http
from trunkline_shared.http.etag_store import EtagStore
from trunkline_shared.http.retry import Retry
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.signing import SigningKeys
from trunkline_shared.vendor.callers_own import CallersOwn
from trunkline_shared.vendor.limit_windows import LimitWindows
from trunkline_shared.vendor.transport import Transport

JITTER_S = 1.0
NOTHING_KEPT = 0
"""Jira confirms nothing with a 304, and one would hide what its headers say about the login."""


@asynccontextmanager
async def open_jira(settings: JiraSettings, clock: Clock | None = None) -> AsyncIterator[Jira]:
    """Open the Jira that the settings name; its connections are closed at the end.

    `clock` stands in for the machine's.
    """
    time = clock or SystemClock()
    base = settings.base_url
    configured = configured_credentials(settings)
    credentials = CallersOwn(vendor="jira", read=configured.brought, otherwise=configured)
    async with open_http(time) as http:
        transport = Transport(
            http=http,
            vendor=vendor_at(base),
            credentials=credentials,
            retry=Retry(clock=time, jitter_s=JITTER_S),
            etags=EtagStore.of(NOTHING_KEPT),
            windows=LimitWindows(vendor="Jira", clock=time),
            slots=asyncio.Semaphore(settings.jira_concurrency),
        )

        async def ask() -> Deployment:
            return deployment(await transport.perform(server_info()), base)

        detection = Detection(ask=ask)

        async def whoami() -> object:
            return await transport.perform(logged_in((await detection.get()).flavour))

        yield Jira(
            transport=transport,
            credentials=credentials,
            detection=detection,
            login=Login(ask=whoami, clock=time),
            rules=KeyRules.of(settings.jira_key_pattern),
            projects=AllowedProjects.of(settings.jira_projects),
            cursors=Cursors(SigningKeys.of(settings).derived("jira-cursors")),
            clock=time,
            site=site_name(base),
        )


def configured_credentials(settings: JiraSettings) -> JiraCredentials:
    """Return what looks the credential up for each request."""
    return JiraCredentials(
        host=urlsplit(settings.base_url).hostname or "",
        username=LiveSecret(USERNAME),
        api_token=LiveSecret(API_TOKEN),
        personal=LiveSecret(PERSONAL),
        netrc_file=settings.netrc or Path.home() / ".netrc",
    )

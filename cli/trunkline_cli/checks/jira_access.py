"""Which Jira is asked, and in whose name."""

from collections.abc import AsyncIterator

from trunkline_cli.checks.finding import Finding
from trunkline_cli.checks.refusal import PATIENCE_S, misconfigured, refusal
from trunkline_jira.endpoints import myself
from trunkline_jira.sent import SentUser
from trunkline_jira.settings import JiraSettings
from trunkline_jira.shapes import person
from trunkline_jira.site.client import Jira
from trunkline_jira.site.flavour import ServerInfo, deployment, server_info
from trunkline_jira.site.opening import open_jira
from trunkline_shared.clock import Clock
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import TrunklineError
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.untrusted import sanitize

ABOUT = "jira"
SITE = "jira site"


async def check_jira(clock: Clock | None = None) -> AsyncIterator[Finding]:
    """Say which kind of Jira there is, and whose the credential is.

    `clock` stands in for the machine's.
    """
    try:
        settings = load(JiraSettings)
    except ConfigurationError as error:
        yield misconfigured(ABOUT, error)
        return
    async with open_jira(settings, clock) as jira:
        try:
            async for finding in _reached(jira, settings.base_url):
                yield finding
        except TrunklineError as error:
            yield refusal(
                ABOUT,
                error,
                address="JIRA_HOST (or TRUNKLINE_JIRA_URL)",
                credential="JIRA_API_TOKEN or JIRA_PERSONAL_TOKEN",
            )


async def _reached(jira: Jira, base: str) -> AsyncIterator[Finding]:
    credential = await jira.credentials.get()
    with deadline_in(PATIENCE_S):
        info = await jira.fetch(server_info())
    found = deployment(info, base)
    text = f"{_kind(info, cloud=found.flavour.is_cloud)} at {sanitize(found.pages)}"
    yield Finding(about=SITE, level="ok", text=text)
    with deadline_in(PATIENCE_S):
        user = await jira.fetch(myself(found.flavour))
    text = f"signed in as {_named(user)}, with {credential.source}"
    yield Finding(about=ABOUT, level="ok", text=text)


def _kind(info: ServerInfo, *, cloud: bool) -> str:
    version = "" if cloud or not info.version else f" {sanitize(info.version)}"
    return "Jira Cloud" if cloud else f"Jira Data Center or Server{version}"


def _named(user: SentUser) -> str:
    address = f" ({sanitize(user.emailAddress)})" if user.emailAddress else ""
    return f"{person(user) or 'a nameless account'}{address}"

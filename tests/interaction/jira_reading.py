"""A real client in front of the jira server, in front of the Jira stand-in, of either flavour."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import ClassVar

import pytest
from mcp import Client

from tests.interaction.asking import Asking, connected
from trunkline_jira.app import open_server
from trunkline_jira.settings import JiraSettings
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.jira import FlavourName, Issue, JiraStandIn, Project, User

VARIABLES = ("JIRA_HOST", "JIRA_USERNAME", "JIRA_API_TOKEN", "JIRA_PERSONAL_TOKEN")
FLAVOURS: tuple[FlavourName, ...] = ("cloud", "data_center")
either_flavour = pytest.mark.parametrize("flavour", FLAVOURS)

ISSUE = "/rest/api/*/issue/*"
SERVER_INFO = "/rest/api/2/serverInfo"


@dataclass(frozen=True, kw_only=True)
class JiraAsking(Asking):
    """A project with an issue, its people, and a client of the server."""

    here: ClassVar[Mapping[str, object]] = {}

    jira: JiraStandIn
    clock: FakeClock
    project: Project
    issue: Issue
    me: User
    stranger: User

    def sent(self, method: str = "*", path: str = "*") -> int:
        """Return how many requests of this kind arrived."""
        return len(self.jira.requests.matching(method, path))


@asynccontextmanager
async def client_of(clock: FakeClock | None = None, **settings: object) -> AsyncIterator[Client]:
    """Serve the jira server with these settings, and connect to it."""
    async with connected(open_server, JiraSettings, clock or FakeClock(), settings) as client:
        yield client


def without_credentials(environment: pytest.MonkeyPatch) -> None:
    """Forget what this machine knows about Jira."""
    for variable in VARIABLES:
        environment.delenv(variable, raising=False)
        environment.delenv(f"{variable}_FILE", raising=False)


def logged_in(environment: pytest.MonkeyPatch, user: User, secret: str, flavour: str) -> None:
    """Set the variables that each flavour's people set."""
    without_credentials(environment)
    if flavour == "cloud":
        environment.setenv("JIRA_USERNAME", user.email or user.name)
        environment.setenv("JIRA_API_TOKEN", secret)
    else:
        environment.setenv("JIRA_PERSONAL_TOKEN", secret)


@asynccontextmanager
async def reading(
    flavour: FlavourName,
    environment: pytest.MonkeyPatch,
    *,
    mount: str = "",
    **settings: object,
) -> AsyncIterator[JiraAsking]:
    """Seed a stand-in of a flavour and serve the jira server before it."""
    clock = FakeClock()
    async with JiraStandIn(flavour=flavour, clock=clock, mount=mount) as jira:
        me = jira.state.add_user("helper", "Helper Bot")
        stranger = jira.state.add_user("mallory", "Mallory Moore")
        project = jira.state.add_project("ME", "Measuring")
        issue = jira.state.add_issue(
            project, "Broken", description="It wobbles.", reporter=stranger, assignee=me
        )
        logged_in(environment, me, jira.state.add_token(me, "helper").secret, flavour)
        options = {"jira_url": jira.url, "toolsets": "all", **settings}
        async with client_of(clock, **options) as client:
            yield JiraAsking(
                jira=jira,
                clock=clock,
                project=project,
                issue=issue,
                me=me,
                stranger=stranger,
                client=client,
            )

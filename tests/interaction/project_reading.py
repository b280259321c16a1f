"""A real client in front of the project-reader server, in front of the Basecamp stand-in."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from mcp import Client

from tests.interaction.asking import Asking
from trunkline_project_reader.app import open_server
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared import meta
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.basecamp import Account, BasecampStandIn, Message, Person, Project
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.serving import serving
from trunkline_shared.testing.stand_in.log import Received

TOKEN_VARIABLES = (
    "BASECAMP_ACCESS_TOKEN",
    "BASECAMP_REFRESH_TOKEN",
    "BASECAMP_CLIENT_ID",
    "BASECAMP_CLIENT_SECRET",
    "BASECAMP_ACCOUNT_ID",
)


@dataclass(frozen=True, kw_only=True)
class Reading(Asking):
    """An account with a project, two people, and a client of the server.

    `me` is whose token the server has.
    """

    here: ClassVar[Mapping[str, object]] = {}

    basecamp: BasecampStandIn
    clock: FakeClock
    account: Account
    project: Project
    me: Person
    ann: Person

    def post(self, subject: str, content: str | None = None, **facts: Any) -> Message:
        """Post a message to the project's board, as Ann."""
        board = self.project.tool("message_board")
        return self.account.add_message(board, subject, self.ann, content, **facts)

    def asked(self, path: str) -> list[Received]:
        """Return the requests for a path below the account; `*` stands for anything."""
        return self.basecamp.requests.matching("GET", f"/{self.account.id}{path}")

    async def everything(self, tool: str, **arguments: object) -> list[dict[str, Any]]:
        """Return all items of a list, page by page, by its cursors."""
        return await self.everything_from(tool, "", **arguments)

    async def everything_from(
        self, tool: str, cursor: str, **arguments: object
    ) -> list[dict[str, Any]]:
        """Return the items of a list from a cursor on."""
        items: list[dict[str, Any]] = []
        while True:
            answer = await self.call(tool, **arguments, cursor=cursor)
            items += answer["items"]
            cursor = answer["page_info"]["next_cursor"]
            assert (cursor is not None) == answer["has_more"]
            if not cursor:
                return items


def settings_for(basecamp: BasecampStandIn, account: Account) -> dict[str, object]:
    """Return the settings that lead a server to an account of a stand-in."""
    return {"basecamp_api_url": basecamp.url, "basecamp_account_id": str(account.id)}


def bound_to(project: Project) -> dict[str, object]:
    """Return what the router says of a context that is bound to a project."""
    return {meta.BIND: {"project_id": project.id}}


@asynccontextmanager
async def client_of(clock: FakeClock, **settings: object) -> AsyncIterator[Client]:
    """Serve the project-reader with these settings, and connect to it."""
    given = load(ProjectReaderSettings, {"toolsets": "all", **settings})
    async with (
        open_server(given, in_process_store(clock), clock) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        yield client


@asynccontextmanager
async def reading(
    environment: pytest.MonkeyPatch, at: FakeClock | None = None, **settings: object
) -> AsyncIterator[Reading]:
    """Seed a stand-in and serve the project-reader before it."""
    clock = at or FakeClock()
    async with BasecampStandIn(clock=clock) as basecamp:
        account = basecamp.state.add_account("Acme")
        me = account.add_person("Robin Reader", "robin@example.com")
        ann = account.add_person("Ann Author", "ann@example.com")
        project = account.add_project("Widgets launch", "All about widgets")
        for variable in TOKEN_VARIABLES:
            environment.delenv(variable, raising=False)
        token = basecamp.state.add_token(me, "reader")
        environment.setenv("BASECAMP_ACCESS_TOKEN", token.secret)
        options = {**settings_for(basecamp, account), **settings}
        async with client_of(clock, **options) as client:
            yield Reading(
                basecamp=basecamp,
                clock=clock,
                account=account,
                project=project,
                me=me,
                ann=ann,
                client=client,
            )

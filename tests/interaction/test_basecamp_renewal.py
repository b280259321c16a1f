"""Agents notice nothing of a Basecamp token's end: through the server, its API and its issuer."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from mcp import Client

from tests.interaction.asking import Asking
from tests.interaction.basecamp_tokens import Operator
from trunkline_project_reader.app import open_server
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.testing import basecamp
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import Account, Granted, Grants
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

LIST = "list_projects"


@dataclass(frozen=True, kw_only=True)
class Agent(Asking):
    """A client of one project-reader."""

    here: ClassVar[Mapping[str, object]] = {}


@dataclass(frozen=True, kw_only=True)
class Mesh:
    """A Basecamp, the server that issues its tokens, and an operator with a pair of them."""

    operator: Operator
    api: basecamp.BasecampStandIn
    granted: Granted
    account_id: int
    folder: Path

    @property
    def grants(self) -> Grants:
        return self.operator.authorization.grants

    @asynccontextmanager
    async def agent(self, **given: object) -> AsyncIterator[Agent]:
        """Connect an agent to a project-reader of its own, which shares the directory."""
        settings = {
            "basecamp_api_url": self.api.url,
            "basecamp_account_id": str(self.account_id),
            "basecamp_token_url": self.operator.authorization.token_url,
            **given,
        }
        kept = load(StoreSettings, {"redis_url": "", "state_dir": str(self.folder)})
        async with (
            open_store(kept) as store,
            open_server(
                load(ProjectReaderSettings, settings), store, self.operator.clock
            ) as server,
            serving(server) as url,
            Client(f"{url}/mcp") as client,
        ):
            yield Agent(client=client)


@pytest.fixture
async def mesh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Mesh]:
    """A mesh whose token has just been issued."""
    clock = FakeClock()
    async with (
        AuthorizationStandIn(grants=Grants(clock=clock)) as authorization,
        basecamp.BasecampStandIn(clock=clock) as api,
        asyncio.timeout(40),
    ):
        account = api.state.add_account("Acme")
        api.state.grants = authorization.grants
        api.state.grantee = account.add_person("Robin Reader", "robin@example.com")
        account.add_project("Widgets launch", "All about widgets")
        href = f"{api.url}/{account.id}"
        authorization.grants.accounts = [Account(id=account.id, name="Acme", href=href)]
        operator = Operator(authorization=authorization, clock=clock, monkeypatch=monkeypatch)
        yield Mesh(
            operator=operator,
            api=api,
            granted=operator.authorize(),
            account_id=account.id,
            folder=tmp_path / "state",
        )


@pytest.mark.requirement("basecamp.refresh-once")
async def test_calls_of_two_servers_whose_token_has_ended_are_answered(mesh: Mesh) -> None:
    """Ten calls at once, of two servers that share a directory: one refresh."""
    mesh.grants.expire(mesh.granted.access_token)
    async with AsyncExitStack() as opened, asyncio.TaskGroup() as tasks:
        for _ in range(2):
            agent = await opened.enter_async_context(mesh.agent())
            for _ in range(5):
                tasks.create_task(agent.call(LIST))
    assert len(mesh.operator.authorization.renewals) == 1
    assert {one.method for one in mesh.api.requests} == {"GET"}


@pytest.mark.requirement("basecamp.token-expired")
async def test_a_token_beyond_renewal_is_told_to_the_agent(mesh: Mesh) -> None:
    """TOKEN_EXPIRED, with what the operator has to do, and no secret."""
    mesh.grants.revoke(mesh.granted.refresh_token)
    async with mesh.agent() as agent:
        told = await agent.refused(LIST)
    assert told["error_code"] == "TOKEN_EXPIRED"
    assert not told["retryable"]
    assert "BASECAMP_REFRESH_TOKEN" in told["hint"]
    assert mesh.granted.refresh_token not in str(told)


@pytest.mark.requirement("basecamp.token-expired")
async def test_an_access_token_that_nobody_can_renew_is_told_to_the_agent(mesh: Mesh) -> None:
    """TOKEN_EXPIRED names both ways to mend it."""
    mesh.operator.configure(ACCESS_TOKEN="long-gone")
    async with mesh.agent() as agent:
        told = await agent.refused(LIST)
    assert told["error_code"] == "TOKEN_EXPIRED"
    assert told["details"]["variables"] == ["BASECAMP_ACCESS_TOKEN", "BASECAMP_REFRESH_TOKEN"]


async def test_the_account_is_found_with_a_token_that_has_ended(mesh: Mesh) -> None:
    """Without BASECAMP_ACCOUNT_ID: renewed once, asked once, then as if it had been set."""
    mesh.grants.expire(mesh.granted.access_token)
    async with mesh.agent(basecamp_account_id="") as agent:
        for _ in range(2):
            answer = await agent.call(LIST)
            assert [item["name"] for item in answer["items"]] == ["Widgets launch"]
    assert mesh.grants.renewed == 1


@pytest.mark.requirement("basecamp.refresh-persisted")
async def test_a_server_that_starts_again_needs_no_second_authorization(mesh: Mesh) -> None:
    """The variables hold tokens that are long spent; the directory has the present ones."""
    for _ in range(3):
        mesh.operator.clock.advance(30 * 86_400)
        async with mesh.agent() as agent:
            await agent.call(LIST)
    assert (mesh.grants.renewed, mesh.grants.reused) == (3, 0)


async def test_a_directory_that_cannot_be_written_is_told_to_the_agent(mesh: Mesh) -> None:
    """Before anything is spent: the variable, the path, and the way out."""
    mesh.grants.expire(mesh.granted.access_token)
    mesh.folder.touch()
    async with mesh.agent() as agent:
        told = await agent.refused(LIST)
        assert told["error_code"] == "UPSTREAM_UNAVAILABLE"
        assert f"TRUNKLINE_STATE_DIR={mesh.folder}" in told["message"]
        assert not mesh.operator.authorization.renewals
        mesh.folder.unlink()
        await agent.call(LIST)

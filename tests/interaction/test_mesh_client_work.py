"""The work at hand for a program, from the servers as they are."""

from pathlib import Path

import pytest

from tests.interaction.bridging import bridged
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Scripted, running
from tests.interaction.working import BRANCH, PARTS, linked_checkout, work
from trunkline_shared import errors
from trunkline_shared.client import MeshClient, WorkContext
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("bridge.client-work")
async def test_a_program_has_what_the_tool_tells(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every part of it, typed; and what an agent is told is the same."""
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        MeshClient.connect(here.router.url) as mesh,
        here.worker() as agent,
    ):
        found = await mesh.work_context(BRANCH, owner="acme", repo="widgets")
        told = await agent.context(BRANCH)
        short = await mesh.work_context(BRANCH, owner="acme", repo="widgets", max_tokens=300)
        with pytest.raises(errors.BranchNotFound):
            await mesh.work_context("no-such-branch", owner="acme", repo="widgets")
    assert set(WorkContext.model_fields) - {"left_out"} == set(PARTS)
    assert all(getattr(found, part) for part in PARTS)
    assert found.pull_request.data["title"] == "WID-2: Tighten the screws"
    assert {part: getattr(found, part).data for part in PARTS} == {
        part: told[part]["data"] for part in PARTS
    }
    assert short.left_out


@pytest.mark.requirement("bridge.client-work")
async def test_without_the_bridge_a_program_is_told_so() -> None:
    """And with the bridge alone, which branch it is to be."""
    async with (
        running(Scripted()) as url,
        routing({"other": url}) as router,
        MeshClient.connect(router.url) as mesh,
    ):
        with pytest.raises(errors.Unsupported, match="bridge"):
            await mesh.work_context()
    async with bridged() as here, MeshClient.connect(here.router.url) as mesh:
        with pytest.raises(errors.InvalidInput, match="branch"):
            await mesh.work_context()

"""Tool definitions as agents see them: a change is a reviewed diff (`make snapshots` writes it)."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

import trunkline_branch_context.service
import trunkline_bridge.service
import trunkline_ci_status.service
import trunkline_comment.service
import trunkline_inline_review.service
import trunkline_issues.service
import trunkline_jira.service
import trunkline_project_reader.service
from trunkline_shared.service import Service
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
UPDATE = os.environ.get("UPDATE_SNAPSHOTS") == "1"  # noqa: TID251 - how `make snapshots` asks
EVERYTHING: Mapping[str, object] = {
    "toolsets": "all",
    "enable_writes": "all",
    # What this machine is configured for would stand in the tags.
    "jira_host": "",
    "basecamp_account_id": "",
}
SERVICES: tuple[Service[Any], ...] = (
    trunkline_branch_context.service.SERVICE,
    trunkline_comment.service.SERVICE,
    trunkline_inline_review.service.SERVICE,
    trunkline_ci_status.service.SERVICE,
    trunkline_issues.service.SERVICE,
    trunkline_project_reader.service.SERVICE,
    trunkline_jira.service.SERVICE,
    trunkline_bridge.service.SERVICE,
)


async def definitions(service: Service[Any]) -> str:
    """Return all tools of a service, as they go over the wire."""
    async with (
        service.open(load(service.settings, EVERYTHING), in_process_store()) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        tools = (await client.list_tools()).tools
    shown = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    return json.dumps(shown, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


@pytest.mark.requirement("schemas.snapshots")
@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.id)
async def test_tool_definitions_are_as_last_reviewed(service: Service[Any]) -> None:
    """Names, descriptions, schemas, hints and policies are the public API to models."""
    snapshot = SNAPSHOTS / f"{service.id}.json"
    found = await definitions(service)
    if UPDATE:
        snapshot.write_text(found, encoding="utf-8")
    assert snapshot.exists(), "there is no snapshot: run `make snapshots` and review it"
    assert found == snapshot.read_text(encoding="utf-8"), "review the diff of `make snapshots`"

"""What the dashboard tells of connecting a client: the same entries as the command line."""

from collections.abc import AsyncIterator

import orjson
import pytest

from tests.interaction.browsing import Browser
from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.mesh import Mesh, routing
from tests.interaction.wire import get

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router that wants keys, with no server behind it that answers."""
    keys = [entry("eye", scopes=["observe"])]
    async with routing(
        {"one": "http://127.0.0.1:1"}, configured={"keys": keys}, settled=False
    ) as made:
        yield made


@pytest.mark.requirement("seeing.connect")
async def test_each_client_s_entry_is_shown_ready_to_paste(mesh: Mesh) -> None:
    """The same eight as on the command line; files by their names, the key by its variable."""
    reply = await get(mesh.port, "/api/connect", bearing(key_of("eye")))
    clients = {each["client"]: each for each in reply.json["clients"]}
    assert list(clients) == [
        "claude",
        "codex",
        "copilot",
        "cursor",
        "vscode",
        "gemini",
        "goose",
        "opencode",
    ]
    for each in clients.values():
        assert set(each) == {"client", "file", "format", "text", "command", "note"}
        assert mesh.mcp in each["text"]
        assert "TRUNKLINE_API_KEY" in each["text"]
        assert "tl_" not in each["text"] + each["command"]
        assert not each["file"].startswith("/")
    assert clients["codex"]["file"] == "~/.codex/config.toml"
    assert clients["claude"]["file"] == ".mcp.json"
    assert orjson.loads(clients["claude"]["text"])["mcpServers"]["trunkline"]["url"] == mesh.mcp


@pytest.mark.requirement("seeing.connect")
async def test_without_keys_no_entry_names_one() -> None:
    """Nor behind an authorization server alone: clients ask that one themselves."""
    nowhere = {"one": "http://127.0.0.1:1"}
    public = "https://trunkline.example"
    async with routing(nowhere, settled=False, public_url=public) as mesh:
        shown = await get(mesh.port, "/api/connect")
        refused = await Browser(mesh=mesh).post("/api/connect", {})
    texts = [each["text"] for each in shown.json["clients"]]
    assert all(f"{public}/mcp" in text for text in texts)
    assert not any("TRUNKLINE_API_KEY" in text for text in texts)
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")

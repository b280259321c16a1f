"""What opens a foreign server: secrets from where they stand, and who is blamed when they fail."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from aiohttp import web

from tests.interaction.mesh import routing
from tests.interaction.upstreams import Json, Scripted, ok, running
from tests.interaction.wire import call_modern, failure

pytestmark = pytest.mark.anyio


def entry(url: str, headers: Mapping[str, object]) -> Mapping[str, object]:
    return {"servers": {"wiki": {"url": f"{url}/mcp", "headers": headers}}}


async def refuses(http: web.Request, request: Json) -> web.StreamResponse:
    return web.json_response({"error": "who are you"}, status=401)


@pytest.mark.requirement("gateway.upstream-secrets")
async def test_a_foreign_server_that_refuses_its_credential_is_named() -> None:
    """AUTH_ERROR, which names the server and where its credential stands, not the mesh's key."""
    server = Scripted(answer=refuses)
    async with running(server) as url, routing({"wiki": url}) as mesh:
        error = failure(await call_modern(mesh.port, "act"))
    assert (error["error_code"], error["retryable"]) == ("AUTH_ERROR", False)
    assert "'wiki'" in error["message"]
    assert "MESH_KEY" not in str(error)
    assert url not in str(error)


@pytest.mark.requirement("gateway.upstream-secrets")
async def test_a_secret_is_read_again_when_its_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`NAME_FILE`: the next request has the new one."""
    secret = tmp_path / "token"
    secret.write_text("Bearer first\n", encoding="utf-8")
    monkeypatch.setenv("WIKI_TOKEN_FILE", str(secret))
    server = Scripted(answer=ok)
    headers = {"Authorization": {"from_env": "WIKI_TOKEN"}, "X-Team": "docs"}
    async with running(server) as url, routing({"wiki": url}, configured=entry(url, headers)) as m:
        await call_modern(m.port, "act")
        secret.write_text("Bearer the second\n", encoding="utf-8")
        await call_modern(m.port, "act")
    assert [each["authorization"] for each in server.headers] == [
        "Bearer first",
        "Bearer the second",
    ]
    assert {each["x-team"] for each in server.headers} == {"docs"}


@pytest.mark.requirement("gateway.upstream-secrets")
async def test_a_missing_variable_is_named_and_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CREDENTIALS_MISSING with the variable to set."""
    monkeypatch.setenv("WIKI_TOKEN", "Bearer known")
    server = Scripted(answer=ok)
    headers = {"Authorization": {"from_env": "WIKI_TOKEN"}}
    async with running(server) as url, routing({"wiki": url}, configured=entry(url, headers)) as m:
        monkeypatch.delenv("WIKI_TOKEN")
        error = failure(await call_modern(m.port, "act"))
    assert error["error_code"] == "CREDENTIALS_MISSING"
    assert "WIKI_TOKEN" in error["message"]
    assert not server.calls


@pytest.mark.requirement("gateway.upstream-secrets")
async def test_a_redirect_is_told_and_never_followed() -> None:
    """The credential would go along: the place it points to gets nothing."""
    elsewhere = Scripted()

    async with running(elsewhere) as other:

        async def redirects(http: web.Request, request: Json) -> web.StreamResponse:
            raise web.HTTPTemporaryRedirect(f"{other}/mcp")

        async with running(Scripted(answer=redirects)) as url, routing({"wiki": url}) as mesh:
            error = failure(await call_modern(mesh.port, "act"))
    assert error["error_code"] == "UPSTREAM_UNAVAILABLE"
    assert "redirects are not followed" in error["message"]
    assert other not in str(error)
    assert not elsewhere.calls

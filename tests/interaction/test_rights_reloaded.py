"""A key that is narrowed or revoked while the router runs takes its job tokens along."""

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from tests.interaction.reloading import OFTEN, Following, bearer, following, key, server, until
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    head,
    legacy,
    modern,
    modern_headers,
    post,
    read_reply,
    send,
)

pytestmark = pytest.mark.anyio

MINTING = {"scopes": ["tools", "contexts"]}
PATIENT = replace(OFTEN, limits=replace(OFTEN.limits, body_s=10.0))


async def listed(router: Following, shown: str) -> Reply:
    headers = modern_headers("tools/list") | {"Authorization": shown}
    return await post(router.mesh.port, modern("tools/list"), headers)


async def names(router: Following, shown: str) -> set[str]:
    reply = await listed(router, shown)
    return {entry["name"] for entry in reply.result["tools"]}


async def minted(router: Following, by: str, **asked: object) -> str:
    """Return a job token as its holder sends it."""
    raw = orjson.dumps(asked)
    headers = {"Content-Type": "application/json", "Authorization": bearer(by)}
    port = router.mesh.port
    reply = await send(port, head(raw, headers, port=port, path="/contexts") + raw)
    assert reply.status == 201
    return f"Bearer {reply.json['token']}"


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_a_key_and_its_tokens_are_narrowed_and_end_together(tmp_path: Path) -> None:
    """From the next request on, in lists and calls; a token of another key never notices."""
    async with running(Scripted()) as url:
        servers = {"a": server(url)}
        keys = [key("one", **MINTING), key("two", **MINTING)]
        content = {"servers": servers, "keys": keys}
        async with following(tmp_path / "t.yaml", content) as router:
            token, other = await minted(router, "one"), await minted(router, "two")
            assert await names(router, token) == {"act", "write"}
            narrower = key("one", deny=["mcp__a__write"], **MINTING)
            router.write({"servers": servers, "keys": [narrower, keys[1]]})

            async def narrowed() -> bool:
                return await names(router, bearer("one")) == {"act"}

            await until(narrowed)
            assert await names(router, token) == {"act"}
            router.write({"servers": servers, "keys": keys[1:]})

            async def ended() -> bool:
                return (await listed(router, token)).status == 401

            await until(ended)
            assert await names(router, other) == {"act", "write"}


@pytest.mark.requirement("gateway.job-tokens")
async def test_a_token_keeps_to_its_globs_when_its_key_is_widened(tmp_path: Path) -> None:
    """Also to those that were no narrower than its key's at the time; without any, it follows."""
    async with running(Scripted()) as url:
        servers = {"a": server(url)}
        act = ["mcp__a__act"]
        content = {"servers": servers, "keys": [key("one", allow=act, **MINTING)]}
        async with following(tmp_path / "t.yaml", content) as router:
            token, same = await minted(router, "one", tools=act), await minted(router, "one")
            router.write({"servers": servers, "keys": [key("one", **MINTING)]})

            async def widened() -> bool:
                return await names(router, bearer("one")) == {"act", "write"}

            await until(widened)
            assert await names(router, token) == {"act"}
            assert await names(router, same) == {"act", "write"}


@pytest.mark.requirement("gateway.job-tokens-end")
async def test_a_key_that_is_made_anew_while_it_asks_gets_no_token(tmp_path: Path) -> None:
    """However slowly its body comes: a token would be the new key's."""
    async with running(Scripted()) as url:
        servers = {"a": server(url)}
        content = {"servers": servers, "keys": [key("one", **MINTING)]}
        async with following(tmp_path / "t.yaml", content, terms=PATIENT) as router:
            raw, port = b'{"ttl_s": 86400}', router.mesh.port
            headers = {"Content-Type": "application/json", "Authorization": bearer("one")}
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head(raw, headers, port=port, path="/contexts"))
            anew = {**key("one", **MINTING), "hash": key("other")["hash"]}
            router.write({"servers": servers, "keys": [anew]})

            async def ended() -> bool:
                return (await listed(router, bearer("one"))).status == 401

            await until(ended)
            writer.write(raw)
            assert (await read_reply(reader)).status == 401
            writer.close()


async def opened(router: Following, by: str) -> str:
    """Return the id of a session of the holder of a key."""
    headers = LEGACY_HEADERS | {"Authorization": bearer(by)}
    params = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {}}
    reply = await post(router.mesh.port, legacy("initialize", params), headers)
    return reply.headers["mcp-session-id"]


ACT = {"name": "act", "arguments": {}}
MODERN, OLDER = modern("tools/call", ACT), legacy("tools/call", ACT)
SPOKEN = {
    "modern": (MODERN, modern_headers("tools/call", "act")),
    "closing": (MODERN, modern_headers("tools/call", "act", Connection="close")),
    "alone": (OLDER, LEGACY_HEADERS),
    "batch": (b"[%b]" % OLDER, LEGACY_HEADERS | {"Mcp-Protocol-Version": "2025-03-26"}),
    "session": (OLDER, LEGACY_HEADERS),
    "session batch": (b"[%b]" % OLDER, LEGACY_HEADERS),
}


@pytest.mark.parametrize("spoken", SPOKEN)
@pytest.mark.requirement("gateway.reload-keys")
async def test_a_key_that_is_revoked_while_its_request_comes_calls_nothing(
    tmp_path: Path, spoken: str
) -> None:
    """However slowly the body comes after the head was good enough, and whoever reads it."""
    offered = Scripted()
    async with running(offered) as url:
        servers = {"a": server(url)}
        content = {"servers": servers, "keys": [key("one"), key("two")]}
        async with following(tmp_path / "t.yaml", content, terms=PATIENT) as router:
            body, given = SPOKEN[spoken]
            shown = {"Authorization": bearer("one")}
            if spoken.startswith("session"):
                shown["Mcp-Session-Id"] = await opened(router, "one")
            port = router.mesh.port
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head(body, given | shown, port=port) + body[:5])
            assert await names(router, bearer("one")) == {"act", "write"}
            router.write({"servers": servers, "keys": [key("two")]})

            async def revoked() -> bool:
                return (await listed(router, bearer("one"))).status == 401

            await until(revoked)
            writer.write(body[5:])
            reply = await read_reply(reader)
            assert (reply.status, "www-authenticate" in reply.headers) == (401, True)
            assert offered.calls == []
            writer.close()


@pytest.mark.requirement("gateway.credentials")
async def test_a_key_whose_credential_is_missing_does_not_come_into_force(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The configuration before stays, and the log names the variable."""
    caplog.set_level(logging.ERROR)
    async with running(Scripted()) as url:
        servers = {"a": server(url)}
        content = {"servers": servers, "keys": [key("one")]}
        async with following(tmp_path / "t.yaml", content) as router:
            missing = {"github": {"from_env": "NO_SUCH_TOKEN_OF_ANYBODY"}}
            router.write({"servers": servers, "keys": [key("two", credentials=missing)]})

            async def said() -> bool:
                assert (await listed(router, bearer("one"))).status == 200
                return "NO_SUCH_TOKEN_OF_ANYBODY is not set" in caplog.text

            await until(said)
            assert (await listed(router, bearer("one"))).status == 200
            assert (await listed(router, bearer("two"))).status == 401

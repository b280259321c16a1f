"""A router whose callers have keys with rights of their own, before two scripted servers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import orjson

from tests.interaction import keys
from tests.interaction.contexts import OF_REPOSITORY, comment_tools, declared, pull_request_tools
from tests.interaction.delegating import SECRET
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import Reply, head, send
from trunkline_shared.store.store import Store

ADMIN = keys.entry("admin", scopes=["tools", "contexts", "observe"])


@dataclass(frozen=True, kw_only=True)
class Ruled:
    """The router, and what stands behind it."""

    mesh: Mesh
    comment: Scripted
    ci: Scripted
    wiki: Scripted

    async def ask(self, key: str, method: str = "tools/list", **params: object) -> Reply:
        """Ask as a modern client with a key, or with a token."""
        return await keys.ask(self.mesh, bearer(key), method, params)

    async def call(self, key: str, name: str, /, **arguments: object) -> Reply:
        return await self.ask(key, "tools/call", name=name, arguments=arguments)

    async def names(self, key: str, path: str = "/mcp") -> set[str]:
        """Return the tools that a key is shown."""
        reply = await keys.ask(self.mesh, bearer(key), "tools/list", path=path)
        return {entry["name"] for entry in reply.result["tools"]}

    async def contexts(self, key: str | None, body: object, verb: str = "POST") -> Reply:
        """Ask for a job token."""
        raw = body if isinstance(body, bytes) else orjson.dumps(body)
        headers = {"Content-Type": "application/json"}
        headers |= {} if key is None else keys.bearing(bearer(key))
        port = self.mesh.port
        return await send(port, head(raw, headers, port=port, path="/contexts", verb=verb) + raw)

    async def token(self, key: str = "admin", **asked: object) -> str:
        reply = await self.contexts(key, asked)
        assert reply.status == 201, reply.body
        return str(reply.json["token"])


def bearer(key: str) -> str:
    """Return a key's bearer; a token is one already."""
    return key if key.count(".") == 2 else keys.key_of(key)


@asynccontextmanager
async def ruled(
    *entries: Json, store: Store | None = None, allowed_repos: str = "", audit_log: str = ""
) -> AsyncIterator[Ruled]:
    """Serve behind a router that knows these keys, and `admin`."""
    comment = Scripted(
        tools=comment_tools(),
        resources=[{"uri": "note://1", "name": "note"}],
        templates=[{"uriTemplate": "note://{id}/text", "name": "text"}],
        prompts=[{"name": "ask"}],
    )
    ci = Scripted(tools=ci_tools(), prompts=[{"name": "explain"}])
    wiki = Scripted(
        tools=[declared("search", {}), declared("Read_page", {})],
        resources=[{"uri": "wiki://1", "name": "page"}],
    )
    async with (
        running(comment) as one,
        running(ci) as two,
        running(wiki) as three,
        routing(
            {"github_comment": one, "github_ci": two, "wiki": three},
            configured={"keys": [ADMIN, *entries]},
            store=store,
            secret=SECRET,
            allowed_repos=allowed_repos,
            audit_log=audit_log,
        ) as mesh,
    ):
        yield Ruled(mesh=mesh, comment=comment, ci=ci, wiki=wiki)


def ci_tools() -> list[Json]:
    """Return tools of pull requests, and one of another toolset."""
    further = declared("get_runs", OF_REPOSITORY, policy={"toolset": "runs"})
    return [*pull_request_tools("get_ci", "rerun"), further]

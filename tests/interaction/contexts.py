"""Servers that declare what the GitHub servers do, behind a router, for tests of contexts."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import Reply, legacy, post

JOB = {"owner": "acme", "repo": "widgets", "pr_number": "12"}
REPOSITORY = {"owner": "acme", "repo": "widgets"}

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer", "minimum": 1}
OF_REPOSITORY: dict[str, Json] = {"owner": TEXT, "repo": TEXT}


def declared(
    name: str,
    properties: Mapping[str, Json],
    *,
    required: tuple[str, ...] = (),
    read_only: bool = True,
    policy: Mapping[str, object] | None = None,
) -> Json:
    """Return a tool's definition with its parameters and its policy."""
    return {
        "name": name,
        "description": f"{name}.",
        "inputSchema": {
            "type": "object",
            "properties": dict(properties),
            "required": list(required),
        },
        "annotations": {"readOnlyHint": read_only},
        "_meta": {"dev.trunkline/policy": dict(policy or {})},
    }


def comment_tools() -> list[Json]:
    conversation = OF_REPOSITORY | {"issue_number": NUMBER}
    return [
        declared(
            "update_comment",
            OF_REPOSITORY | {"commentId": NUMBER, "body": TEXT},
            required=("commentId", "body"),
            read_only=False,
            policy={"enforces": ["pr_number", "issue_number", "comment_id"]},
        ),
        declared(
            "create_comment",
            conversation | {"body": TEXT},
            required=("issue_number", "body"),
            read_only=False,
        ),
        declared("list_comments", conversation, required=("issue_number",)),
        declared("create_label", OF_REPOSITORY | {"name": TEXT}, read_only=False),
        declared("search", OF_REPOSITORY | {"query": TEXT}),
    ]


def pull_request_tools(read: str, write: str) -> list[Json]:
    pull = OF_REPOSITORY | {"pr_number": NUMBER}
    only: Json = {"context_needs": ["pr_number"]}
    held: Json = only | {"enforces": ["pr_number"]}
    return [
        declared(read, pull, required=("pr_number",), policy=only),
        declared(write, OF_REPOSITORY | {"id": NUMBER}, read_only=False, policy=held),
    ]


@dataclass(frozen=True, kw_only=True)
class Job:
    """A router in front of the three review servers, and what reaches the first of them."""

    mesh: Mesh
    comment: Scripted
    servers: Mapping[str, Scripted]

    async def listed(self, path: str = "/mcp", **context: str) -> dict[str, Json]:
        reply = await self.ask("tools/list", path, None, **context)
        return {entry["name"]: entry for entry in reply.result["tools"]}

    async def ask(
        self, method: str, path: str = "/mcp", params: Json | None = None, **context: str
    ) -> Reply:
        query = f"?{urlencode(context)}" if context else ""
        return await post(self.mesh.port, legacy(method, params), path=f"{path}{query}")

    async def call(
        self, name: str, arguments: Mapping[str, object], path: str = "/mcp", **context: str
    ) -> Reply:
        params: Json = {"name": name, "arguments": dict(arguments)}
        return await self.ask("tools/call", path, params, **context)

    def sent(self) -> Json:
        """Return the arguments of the comment server's last call."""
        params = self.comment.calls[-1]["params"]
        assert isinstance(params, dict)
        arguments: Json = params["arguments"]
        return arguments

    def bind(self) -> Json | None:
        """Return what the comment server was last told that the call is bound to."""
        params = self.comment.calls[-1]["params"]
        assert isinstance(params, dict)
        bound: Json | None = params["_meta"].get("dev.trunkline/bind")
        return bound


@asynccontextmanager
async def job() -> AsyncIterator[Job]:
    """Serve the three review servers and `wiki`, a server that declares nothing of ours."""
    comment = Scripted(
        tools=comment_tools(),
        resources=[{"uri": "note://1", "name": "note"}],
        prompts=[{"name": "ask"}],
    )
    servers = {
        "github_comment": comment,
        "github_inline_comment": Scripted(tools=pull_request_tools("lines", "resolve")),
        "github_ci": Scripted(tools=pull_request_tools("get_ci", "rerun")),
    }
    async with (
        running(comment) as one,
        running(servers["github_inline_comment"]) as two,
        running(servers["github_ci"]) as three,
        routing(dict(zip(servers, (one, two, three), strict=True))) as mesh,
    ):
        yield Job(mesh=mesh, comment=comment, servers=servers)


def schema_of(entry: Json) -> Json:
    schema = entry["inputSchema"]
    assert isinstance(schema, dict)
    return schema

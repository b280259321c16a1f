"""The two sides of a task, asked for real: what a model writes and reads."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp
from mcp import Client
from mcp_types import TextContent

from bench.tokens.costs import GRAPHQL
from bench.tokens.credentials import CREDENTIALS
from bench.tokens.tasks import ASKED_FOR, Call, Request

BASES = {
    "github": "https://api.github.com",
    "basecamp": "https://3.basecampapi.com/5017001",
    "jira": "https://acme.atlassian.net",
}
SECRETS = {
    "github": f"Bearer {CREDENTIALS['GITHUB_TOKEN']}",
    "basecamp": f"Bearer {CREDENTIALS['BASECAMP_ACCESS_TOKEN']}",
    "jira": aiohttp.encode_basic_auth(CREDENTIALS["JIRA_USERNAME"], CREDENTIALS["JIRA_API_TOKEN"]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a model writes, and what it reads then."""

    written: str
    read: str


async def by_api(
    session: aiohttp.ClientSession, request: Request, addresses: Mapping[str, str]
) -> Exchange:
    """Ask a stand-in; its answer reads as from the vendor's own host.

    Raises aiohttp.ClientResponseError.
    """
    headers = {"Authorization": SECRETS[request.vendor], "User-Agent": "curl/8.17.0"}
    if request.accept:
        headers["Accept"] = request.accept
    url = f"{addresses[request.vendor]}/{request.path}"
    async with session.request(
        request.method, url, json=request.body or None, headers=headers
    ) as response:
        response.raise_for_status()
        text = await response.text()
    if request.path == GRAPHQL:
        text = json.dumps(_selected(json.loads(text)), separators=(",", ":"))
    return Exchange(written=_command(request), read=_at_home(text, addresses))


async def by_tool(client: Client, call: Call, addresses: Mapping[str, str]) -> Exchange:
    """Call a tool. Raises ToolFailed."""
    result = await client.call_tool(call.tool, dict(call.arguments))
    text = "".join(one.text for one in result.content if isinstance(one, TextContent))
    parts = result.structured_content or {}
    missing = [name for name, part in parts.items() if _is_missing(part)]
    if result.is_error or missing:
        raise ToolFailed(f"{call.tool}: {missing or text}")
    written = json.dumps({"name": call.tool, "arguments": call.arguments})
    return Exchange(written=written, read=_at_home(text, addresses))


class ToolFailed(Exception):
    """A tool did not answer, or not with everything: its tokens say nothing."""


def _is_missing(part: object) -> bool:
    return isinstance(part, dict) and part.get("available") is False


def _at_home(text: str, addresses: Mapping[str, str]) -> str:
    for vendor, base in addresses.items():
        text = text.replace(base, BASES[vendor])
    return text


def _command(request: Request) -> str:
    """Return what an agent writes: `gh` for GitHub, `curl` for the others."""
    if request.vendor != "github":
        return f"curl -sH \"$AUTH\" '{BASES[request.vendor]}/{request.path}'"
    words = ["gh api"]
    if request.accept:
        words.append(f"-H 'Accept: {request.accept}'")
    words.append(f"'{request.path}'")
    if request.body:
        words.append(f"--input - <<'E'\n{json.dumps(request.body)}\nE")
    return " ".join(words)


def _selected(answer: object) -> object:
    """Return the fields that the query names: the stand-in answers with all that it has."""
    if isinstance(answer, list):
        return [_selected(one) for one in answer]
    if isinstance(answer, dict):
        return {key: _selected(one) for key, one in answer.items() if key in ASKED_FOR}
    return answer

"""How a client that knows nothing finds its way in: challenges, metadata, a whole OAuth flow."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import httpx2
import orjson
import pytest
from aiohttp import web
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from tests.interaction.authorization import AuthorizationServer, issuing
from tests.interaction.keys import ask, entry, key_of, read
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import get, head, send

pytestmark = pytest.mark.anyio

WELL_KNOWN = "/.well-known/oauth-protected-resource"


@pytest.fixture
async def issuer() -> AsyncIterator[AuthorizationServer]:
    """Yield a running authorization server."""
    async with issuing() as made:
        yield made


@pytest.fixture
async def mesh(issuer: AuthorizationServer) -> AsyncIterator[Mesh]:
    """A router that trusts the issuer."""
    configured = {"oauth": {"issuer": issuer.issuer}, "keys": [entry("bot")]}
    async with (
        running(Scripted(tools=[tool("act")])) as url,
        routing({"one": url}, configured=configured) as made,
    ):
        yield made


@pytest.mark.requirement("gateway.oauth-metadata")
@pytest.mark.parametrize(
    ("path", "endpoint"),
    [("", "/mcp"), ("/", "/mcp"), ("/mcp", "/mcp"), ("/servers/one/mcp", "/servers/one/mcp")],
)
async def test_the_metadata_names_the_resource_and_its_issuer(
    mesh: Mesh, issuer: AuthorizationServer, path: str, endpoint: str
) -> None:
    """RFC 9728, readable by a page of any origin, and by anybody without a token."""
    reply = await get(mesh.port, WELL_KNOWN + path, {"Origin": "https://inspector.example"})
    assert reply.status == 200
    assert reply.headers["access-control-allow-origin"] == "*"
    assert reply.json == {
        "resource": mesh.url + endpoint,
        "authorization_servers": [issuer.issuer],
        "scopes_supported": ["tools"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Trunkline",
    }
    asked = head(b"", {}, port=mesh.port, path=WELL_KNOWN + path, verb="OPTIONS")
    preflight = await send(mesh.port, asked)
    assert preflight.status == 204
    assert preflight.headers["access-control-allow-headers"] == "*"
    posted = head(b"", {}, port=mesh.port, path=WELL_KNOWN + path)
    assert (await send(mesh.port, posted)).status == 405


@pytest.mark.parametrize(
    "path", ["/status", "/servers//mcp", "/servers/../mcp", "/mcp/mcp", "x", "/servers/a%0Ab/mcp"]
)
async def test_there_is_no_metadata_of_anything_else(mesh: Mesh, path: str) -> None:
    """Only endpoints are resources."""
    assert (await get(mesh.port, WELL_KNOWN + path)).status == 404
    assert (await get(mesh.port, "/.well-known/oauth-authorization-server")).status == 404


@pytest.mark.requirement("gateway.oauth-metadata")
@pytest.mark.parametrize("endpoint", ["/mcp", "/servers/one/mcp"])
async def test_the_challenge_leads_to_the_metadata_of_its_own_endpoint(
    mesh: Mesh, endpoint: str
) -> None:
    """Without a token nothing is said to be wrong; with a bad one it is, key or token."""
    metadata = f'resource_metadata="{mesh.url}{WELL_KNOWN}{endpoint}", scope="tools"'
    stranger = await ask(mesh, None, path=endpoint)
    assert stranger.headers["www-authenticate"] == f"Bearer {metadata}"
    wrong = await ask(mesh, key_of("bot", "wrong"), path=endpoint)
    told = wrong.headers["www-authenticate"]
    assert told.startswith('Bearer error="invalid_token", error_description="The API key')
    assert told.endswith(f", {metadata}")
    page = await read(mesh, None, "/status")
    assert f'resource_metadata="{mesh.url}{WELL_KNOWN}/mcp"' in page.headers["www-authenticate"]


@dataclass
class Kept:
    """What a client keeps between runs, and the browser that its user has."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None
    sent_to: list[str] = field(default_factory=list)

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    async def redirected(self, url: str) -> None:
        self.sent_to.append(url)

    async def came_back(self) -> AuthorizationCodeResult:
        state = parse_qs(urlsplit(self.sent_to[-1]).query)["state"][0]
        return AuthorizationCodeResult(code="a-code", state=state)


def lets_clients_register(issuer: AuthorizationServer) -> None:
    """Answer registrations and codes as an authorization server does, RFC 7591 and RFC 6749."""

    def register(http: web.Request) -> web.Response:
        asked = orjson.loads(issuer.bodies[-1])
        return web.json_response({**asked, "client_id": "the-client"}, status=201)

    def token(http: web.Request) -> web.Response:
        asked = parse_qs(issuer.bodies[-1].decode())
        made = issuer.token(asked["resource"][0], scope="tools")
        return web.json_response({"access_token": made, "token_type": "Bearer", "expires_in": 300})

    issuer.metadata = {
        "registration_endpoint": f"{issuer.url}/register",
        "code_challenge_methods_supported": ["S256"],
    }
    issuer.answers |= {"/register": register, "/token": token}


@pytest.mark.requirement("gateway.oauth-metadata")
@pytest.mark.parametrize("endpoint", ["/mcp", "/servers/one/mcp"])
async def test_the_sdk_s_client_finds_its_way_in_by_itself(
    mesh: Mesh, issuer: AuthorizationServer, endpoint: str
) -> None:
    """clients.md 17: 401, metadata, registration, authorization, token, and the list of tools."""
    lets_clients_register(issuer)
    kept = Kept()
    provider = OAuthClientProvider(
        server_url=mesh.url + endpoint,
        client_metadata=OAuthClientMetadata(
            redirect_uris=[AnyUrl("http://localhost:3000/callback")], client_name="a client"
        ),
        storage=kept,
        redirect_handler=kept.redirected,
        callback_handler=kept.came_back,
    )
    async with (
        httpx2.AsyncClient(auth=provider) as http,
        Client(streamable_http_client(mesh.url + endpoint, http_client=http)) as client,
    ):
        assert [each.name for each in (await client.list_tools()).tools] == ["act"]
    asked = parse_qs(urlsplit(kept.sent_to[0]).query)
    assert asked["resource"] == [mesh.url + endpoint]
    assert asked["scope"] == ["tools"]
    assert len(kept.sent_to) == 1

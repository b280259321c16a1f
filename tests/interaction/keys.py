"""API keys made up for tests, and what asks with them."""

from collections.abc import Mapping
from hashlib import sha256

from tests.interaction.mesh import Mesh
from tests.interaction.upstreams import Json
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    get,
    legacy,
    modern,
    modern_headers,
    post,
)

SECRET_PART = "S3cretPartOfAKeyThatOnlyTestsHave"


def key_of(id_: str, secret: str = SECRET_PART) -> str:
    """Return a key as its holder has it."""
    return f"tl_{id_}_{secret}"


def entry(id_: str, secret: str = SECRET_PART, **given: object) -> Json:
    """Return a key as the configuration has it."""
    return {"id": id_, "hash": sha256(secret.encode()).hexdigest(), **given}


def bearing(bearer: str | None) -> dict[str, str]:
    """Return the header that shows a bearer token."""
    return {} if bearer is None else {"Authorization": f"Bearer {bearer}"}


async def ask(
    mesh: Mesh,
    bearer: str | None,
    method: str = "tools/list",
    params: Mapping[str, object] | None = None,
    *,
    path: str = "/mcp",
) -> Reply:
    """Ask as a modern client."""
    given = params or {}
    name = given.get("name") or given.get("uri")
    headers = modern_headers(method, None if name is None else str(name)) | bearing(bearer)
    return await post(mesh.port, modern(method, given), headers, path)


async def ask_legacy(
    mesh: Mesh, bearer: str | None, method: str = "tools/list", *, path: str = "/mcp"
) -> Reply:
    """Ask as a client of before 2026-07-28."""
    return await post(mesh.port, legacy(method), LEGACY_HEADERS | bearing(bearer), path)


async def read(mesh: Mesh, bearer: str | None, path: str) -> Reply:
    """GET a page."""
    return await get(mesh.port, path, bearing(bearer))

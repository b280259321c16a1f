"""A router that follows a `trunkline.yaml` while it runs, as operators change it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson
import yaml

from tests.interaction.mesh import QUICK, Mesh
from tests.interaction.wire import Reply, head, modern, modern_headers, post
from trunkline_router.catalogue.directory import Directory
from trunkline_router.composition.plan import Surroundings, Terms
from trunkline_router.composition.router import serving
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.identity.key_callers import digest_of
from trunkline_router.subscriptions import LISTEN
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import address, free_socket

OFTEN = replace(QUICK, look_s=0.02, pace=replace(QUICK.pace, apart_s=0.02, foreign_budget_s=1.0))

Content = Mapping[str, object]


def server(url: str, **more: object) -> Content:
    """Return a server's entry."""
    return {"url": f"{url}/mcp", **more}


def key(id_: str, **more: object) -> Content:
    """Return the entry of the key whose secret is its id."""
    return {"id": id_, "hash": digest_of(id_), **more}


def bearer(id_: str) -> str:
    """Return what the holder of that key sends."""
    return f"Bearer tl_{id_}_{id_}"


@dataclass(frozen=True, kw_only=True)
class Following:
    """The router, and the file that it follows."""

    mesh: Mesh
    path: Path
    around: Surroundings

    def write(self, content: Content) -> None:
        """Replace the file as editors do: whole, under its name."""
        draft = self.path.with_suffix(".new")
        _write(draft, content)
        draft.rename(self.path)

    async def seen(self, wanted: Callable[[Directory], bool]) -> Directory:
        """Wait until the whole directory is as wanted."""
        directory = self.mesh.catalog.directory()
        while not wanted(directory):
            directory = await self.mesh.catalog.changed(directory, None)
        return directory

    async def call(self, name: str, by: str | None = None) -> Reply:
        """Call a tool, as the holder of a key if one is named."""
        headers = modern_headers("tools/call", name)
        if by is not None:
            headers["Authorization"] = bearer(by)
        body = modern("tools/call", {"name": name, "arguments": {}})
        return await post(self.mesh.port, body, headers)


def _write(path: Path, content: Content) -> None:
    path.write_text(yaml.safe_dump(content), encoding="utf-8")


@asynccontextmanager
async def listening(mesh: Mesh, by: str | None = None) -> AsyncIterator[asyncio.StreamReader]:
    """Open a stream that tells of changed tools, as the holder of a key if one is named."""
    body = modern(LISTEN, {"notifications": {"toolsListChanged": True}}, id="mine")
    headers = modern_headers(LISTEN) | ({"Authorization": bearer(by)} if by else {})
    reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
    writer.write(head(body, headers, port=mesh.port) + body)
    try:
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\n")
        yield reader
    finally:
        writer.close()


async def heard(reader: asyncio.StreamReader) -> Any:
    """Return the stream's next message."""
    while not (data := (await reader.readuntil(b"\n\n")).partition(b"data: ")[2]):
        pass
    return orjson.loads(data)


async def until(wanted: Callable[[], Awaitable[bool]]) -> None:
    """Ask again until the answer is yes; asking takes as long as the router's answer."""
    while not await wanted():
        pass


@asynccontextmanager
async def following(
    path: Path, content: Content, *, terms: Terms = OFTEN, **given: object
) -> AsyncIterator[Following]:
    """Run a router by a file with this content; the settings know no server of their own."""
    _write(path, content)
    settings = RouterSettings.model_validate({
        "config": str(path),
        "server_urls": {"unused": "http://127.0.0.1:1/mcp"},
        "finish_s": 5,
        **given,
    })
    on = free_socket()
    around = Surroundings(terms=terms, store=in_process_store())
    async with asyncio.timeout(20), serving(settings, on, around) as catalog:
        await catalog.wait_sought()
        mesh = Mesh(url=address(on), catalog=catalog, spans=[])
        yield Following(mesh=mesh, path=path, around=around)


@asynccontextmanager
async def rereading(servers: Mapping[str, str]) -> AsyncIterator[Mesh]:
    """Run a router that reads its settings' files again when they change."""
    given = {"server_urls": {server: f"{url}/mcp" for server, url in servers.items()}}
    on = free_socket()
    around = Surroundings(
        terms=replace(QUICK, look_s=0.02),
        configuration=Configuration(),
        store=in_process_store(),
        reread=lambda: load(RouterSettings, given),
    )
    async with serving(load(RouterSettings, given), on, around) as catalog:
        yield Mesh(url=address(on), catalog=catalog, spans=[])

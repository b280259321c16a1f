"""A git host on a socket: git's own smart HTTP backend, with a password where a test wants one."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from trunkline_shared.testing.git_repository import GitRepository

USERNAME = "x-access-token"


@dataclass(slots=True, kw_only=True)
class GitHost:
    """Serves a repository with its `.git`; counts those who were not let in."""

    repository: GitRepository
    password: str | None = None
    is_up: bool = True
    port: int = 0
    refused: int = 0

    @property
    def url(self) -> str:
        """Where the repository can be fetched."""
        return f"http://127.0.0.1:{self.port}/{self.repository.path.name}/.git"

    async def answer(self, request: web.Request) -> web.Response:
        """Run the backend as a CGI program. https://git-scm.com/docs/git-http-backend"""
        given = request.headers.get("Authorization", "")
        if not self.is_up:
            return web.Response(status=503)
        if self.password is not None and given != _basic(self.password):
            self.refused += 1
            return web.Response(status=401, headers={"WWW-Authenticate": "Basic"})
        process = await asyncio.create_subprocess_exec(
            "git",
            "http-backend",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**self.repository.environment, **self._cgi(request)},
        )
        written, _ = await process.communicate(await request.read())
        head, _, body = written.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
        status = int(headers.pop("Status", "200").split()[0])
        return web.Response(status=status, headers=headers, body=body)

    def _cgi(self, request: web.Request) -> dict[str, str]:
        return {
            "GIT_PROJECT_ROOT": str(self.repository.path.parent),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": request.path,
            "QUERY_STRING": request.query_string,
            "REQUEST_METHOD": request.method,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": request.headers.get("Content-Length", ""),
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            "REMOTE_ADDR": "127.0.0.1",
        }


def _basic(password: str) -> str:
    return "Basic " + base64.b64encode(f"{USERNAME}:{password}".encode()).decode()


@asynccontextmanager
async def git_host(
    repository: GitRepository, password: str | None = None
) -> AsyncIterator[GitHost]:
    """Serve a repository on the loopback."""
    host = GitHost(repository=repository, password=password)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", host.answer)
    runner = web.AppRunner(app, auto_decompress=False)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host.port = runner.addresses[0][1]
        yield host
    finally:
        await runner.cleanup()

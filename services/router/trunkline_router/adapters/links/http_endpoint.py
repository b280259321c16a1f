"""Requests to a server that other people run: its credentials, and what its refusals mean."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from yarl import URL

from trunkline_router.adapters.exchange import body_of
from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.http1.request import head_of, message_of
from trunkline_router.adapters.incoming import NotMcp, parse
from trunkline_router.adapters.links.connection import HandshakeRefused
from trunkline_router.adapters.links.encoding import encoded
from trunkline_router.adapters.refusing import failure
from trunkline_router.model import Json, JsonRpcError
from trunkline_shared.errors import NetworkError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpEndpoint:
    """One URL of a server; `headers` open it. Answers are bounded by `answer_bytes`."""

    server: str
    url: URL
    headers: Mapping[str, str] = field(repr=False)
    client: Client
    answer_bytes: int

    @asynccontextmanager
    async def request(
        self, verb: str, headers: Mapping[str, str], body: Json | None = None
    ) -> AsyncIterator[Answer]:
        """Send, and yield what comes back unread; redirects are never followed.

        Raises NeverSent, NetworkError.
        """
        head = head_of(verb, self.url, {**self.headers, **headers})
        message = message_of(head, None if body is None else encoded(body))
        try:
            # Whatever has no body changes nothing when it is asked for twice.
            response = await self.client.pool(self.url).ask(message, again=body is None)
            try:
                yield response
            finally:
                response.leave()
        except ConnectionError as error:
            log.info("exchange with %s was cut: %s", self.server, error)
            raise NetworkError(f"The connection to server {self.server!r} was cut.") from error

    async def body(self, response: Answer) -> bytes:
        """Read an answer that is no stream. Raises NotMcp when it is too large."""
        return await body_of(response, self.answer_bytes)

    async def check(self, response: Answer) -> None:
        """Raise AuthError, RateLimited, UpstreamUnavailable or HandshakeRefused unless it is 2xx.

        HandshakeRefused carries the JSON-RPC error, if there is one.
        """
        status = response.status
        if status < HTTPStatus.MULTIPLE_CHOICES:
            return
        fault = failure(self.server, status, response.header("retry-after"))
        if fault is not None:
            log.warning("%s answered HTTP %d", self.server, status)
            raise fault
        raise HandshakeRefused(status, _error(await self._start_of(response), status))

    async def _start_of(self, response: Answer) -> bytes:
        try:
            return await self.body(response)
        except NotMcp:
            return b""


def _error(raw: bytes, status: int) -> JsonRpcError | None:
    try:
        error = parse(raw).get("error")
    except NotMcp:
        return None
    if not isinstance(error, dict):
        return None
    code, message = error.get("code"), error.get("message")
    if not isinstance(code, int) or not isinstance(message, str):
        return None
    return JsonRpcError(code=code, message=message, data=error.get("data"), status=status)

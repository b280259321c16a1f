"""`/webhooks/…` on HTTP: what vendors tell, believed once it is proven and not before."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from urllib.parse import parse_qs

import orjson
from aiohttp import web
from opentelemetry.trace import SpanKind

from trunkline_router.edges.json_pages import json_body, method_not_allowed, not_found
from trunkline_router.model import Json, Limits
from trunkline_router.span import Recorder, Span
from trunkline_router.webhooks.delivery import Arrived, Malformed, Told, Unproven, Vendor
from trunkline_router.webhooks.receiving import Receiving
from trunkline_router.webhooks.secrets import WebhookSecrets
from trunkline_router.wire.body import read_body
from trunkline_router.wire.refusal import Refused

PREFIX = "/webhooks/"
_FORM = "application/x-www-form-urlencoded"
_SMALL_BYTES = 1024 * 1024
_LARGE_AT_ONCE = 4
_MOST_FIELDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhooksEndpoint:
    """Answers deliveries. Neither a path nor a header of one is ever recorded.

    Nobody is known before the body is there, so few large ones are held at once.
    """

    vendors: Mapping[str, Vendor]
    secrets: WebhookSecrets
    receiving: Receiving
    recorder: Recorder
    limits: Limits
    _large: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_LARGE_AT_ONCE))

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer one HTTP request below `PREFIX`."""
        name, _, rest = path.removeprefix(PREFIX).partition("/")
        vendor = self.vendors.get(name)
        if vendor is None or (rest and name != "basecamp"):
            known = ", ".join(f"{PREFIX}{each}" for each in self.vendors)
            return not_found(f"No vendor delivers here; there are {known}.")
        with Span(f"webhook {name}", SpanKind.SERVER, None, {}, self.recorder) as span:
            response = await self._answered(http, vendor, _arrived(http, rest), span)
            span.attributes["http.response.status_code"] = response.status
            return response

    async def _answered(
        self, http: web.BaseRequest, vendor: Vendor, arrived: Arrived, span: Span
    ) -> web.Response:
        secrets = self.secrets.of_vendor(vendor.name)
        if not secrets:
            return not_found(
                f"Nothing is taken from {vendor.name}: set {vendor.variable} to the webhook's "
                "secret where the router runs."
            )
        if http.method != "POST":
            return method_not_allowed("Deliveries are posted.", "POST")
        try:
            vendor.claims(arrived, secrets)
            _check_media(vendor, arrived)
            arrived = replace(arrived, body=await self._body(http, vendor))
            vendor.prove(arrived, secrets)
            told = vendor.read(arrived, _content(arrived))
        except Unproven as error:
            return json_body({"error": str(error)}, HTTPStatus.UNAUTHORIZED)
        except Malformed as error:
            return json_body({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        except Refused as refusal:
            return json_body({"error": refusal.message}, refusal.status or HTTPStatus.BAD_REQUEST)
        span.attributes["trunkline.webhook.event"] = told.event
        return _said(told, await self.receiving.receive(vendor.name, told))

    async def _body(self, http: web.BaseRequest, vendor: Vendor) -> bytes:
        async with self._room(http):
            return await read_body(http, replace(self.limits, body_bytes=vendor.most_bytes))

    @asynccontextmanager
    async def _room(self, http: web.BaseRequest) -> AsyncIterator[None]:
        """Wait for one of the few places of large bodies. Raises Refused, HTTP 503."""
        length = http.headers.get("Content-Length")
        # What is packed may be a thousand times larger than it says.
        is_packed = "Content-Encoding" in http.headers
        if length is not None and int(length) <= _SMALL_BYTES and not is_packed:
            yield
            return
        try:
            async with asyncio.timeout(self.limits.body_s):
                await self._large.acquire()
        except TimeoutError:
            raise Refused(0, "Too many large deliveries at once; send it again.", status=503) from (
                None
            )
        try:
            yield
        finally:
            self._large.release()


def _arrived(http: web.BaseRequest, rest: str) -> Arrived:
    return Arrived(
        headers={name.lower(): value for name, value in http.headers.items()},
        rest=rest,
        path=http.rel_url.raw_path,
        query=http.rel_url.raw_query_string,
    )


def _check_media(vendor: Vendor, arrived: Arrived) -> None:
    if arrived.media not in vendor.media:
        wanted = " or ".join(vendor.media)
        raise Refused(
            0, f"Content-Type must be {wanted}.", status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        )


def _content(arrived: Arrived) -> Json:
    """Return the object of a proven delivery. Raises Malformed."""
    raw = _payload(arrived.body) if arrived.media == _FORM else arrived.body
    try:
        content = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Malformed(f"The payload is no JSON: {error}.") from None
    if not isinstance(content, dict):
        raise Malformed("The payload must be a JSON object.")
    return content


def _payload(body: bytes) -> bytes:
    try:
        fields = parse_qs(body, strict_parsing=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        fields = {}
    found = fields.get(b"payload", [])
    if len(found) != 1:
        raise Malformed("The form must have one field payload.")
    return found[0]


def _said(told: Told, state: str) -> web.Response:
    if told.is_ping:
        return json_body({"event": told.event, "ok": True})
    bumped = [] if state == "duplicate" else told.tags
    body = {"event": told.event, "state": state, "bumped": bumped}
    return json_body(body, HTTPStatus.ACCEPTED)

"""One exchange: bounded in time and size, its failures named, its span without secrets."""

import asyncio
import contextlib
import gzip
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from tests.unit.trunkline_shared.http.scripted import CUT, HANG, Answer, json, vendor
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import NetworkError, TooLarge, TrunklineError, UpstreamTimeout
from trunkline_shared.http.client import HttpClient, open_http, proxy_for
from trunkline_shared.http.outgoing import MIB, Outgoing
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


def get(url: str, **changes: object) -> Outgoing:
    asked = Outgoing(
        method="GET", url=url, headers={"Authorization": "Bearer s3cret-token"}, template="/x"
    )
    return replace(asked, **changes)  # type: ignore[arg-type] # each test names real fields


@asynccontextmanager
async def plain_text_server() -> AsyncIterator[int]:
    """Answer whatever comes first with a line of plain text; yields the port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def failure(http: HttpClient, request: Outgoing) -> TrunklineError:
    with anyio.fail_after(5), pytest.raises(TrunklineError) as caught:
        await http.send(request)
    return caught.value


async def test_an_answer_is_read_to_its_end() -> None:
    """Status, lower-case headers, body, address and the time on our clock."""
    async with vendor(json({"a": 1}, X_Thing="y")) as there, open_http(FakeClock(5.0)) as http:
        response = await http.send(get(there.url + "/x?q=1"))
    assert (response.status, response.body) == (200, b'{"a":1}')
    assert response.headers["x-thing"] == "y"
    assert (response.url, response.received_at) == (there.url + "/x?q=1", 5.0)
    assert there.seen[0].target == "/x?q=1"


async def test_an_error_is_an_answer_as_well() -> None:
    """Reading statuses is the reader's business."""
    async with vendor(Answer(status=503)) as there, open_http(FakeClock()) as http:
        assert (await http.send(get(there.url))).status == 503


async def test_a_percent_encoded_path_arrives_as_it_was_written() -> None:
    """An escaped slash stays one segment."""
    async with vendor() as there, open_http(FakeClock()) as http:
        await http.send(get(there.url + "/refs/a%2Fb%20%3F%23c"))
    assert there.seen[0].target == "/refs/a%2Fb%20%3F%23c"


def test_a_request_does_not_show_its_headers() -> None:
    """A logged request holds no token."""
    assert "s3cret" not in repr(get("https://api.example/x"))


async def test_cookies_are_neither_kept_nor_sent() -> None:
    """One caller's session never reaches another."""
    cookie = Answer(headers={"Set-Cookie": "a=b"})
    async with vendor(cookie) as there, open_http(FakeClock()) as http:
        await http.send(get(there.url))
        await http.send(get(there.url))
    assert "cookie" not in there.seen[1].headers


async def test_a_silent_vendor_is_given_up_after_the_requests_time() -> None:
    """TIMEOUT, and the request may have arrived."""
    async with vendor(HANG) as there, open_http(FakeClock()) as http:
        error = await failure(http, get(there.url, timeout_s=0.05))
    assert isinstance(error, UpstreamTimeout)
    assert error.details["phase"] == "exchange"
    assert "127.0.0.1 did not answer within 0.05 s" in error.message


async def test_a_body_that_never_ends_is_given_up_too() -> None:
    """The time covers the whole answer, not its head alone."""
    slow = Answer(body=b"x" * 100, cut_at=10, stall=True)
    async with vendor(slow) as there, open_http(FakeClock()) as http:
        error = await failure(http, get(there.url, timeout_s=0.05))
    assert isinstance(error, UpstreamTimeout)


async def test_the_calls_deadline_shortens_the_requests_time() -> None:
    """What the router has left is all there is."""
    async with vendor(HANG) as there, open_http(FakeClock()) as http:
        with deadline_in(0.05):
            error = await failure(http, get(there.url, timeout_s=30))
    assert isinstance(error, UpstreamTimeout)


async def test_after_the_deadline_nothing_is_sent() -> None:
    """The failure says that the request was held back."""
    async with vendor() as there, open_http(FakeClock()) as http:
        with deadline_in(0):
            error = await failure(http, get(there.url))
    assert (type(error), error.details["phase"]) == (UpstreamTimeout, "held")
    assert there.seen == []


async def test_a_refused_connection_is_a_network_error_before_anything_was_sent() -> None:
    """NETWORK_ERROR names the host, the reason and the phase."""
    async with open_http(FakeClock()) as http:
        error = await failure(http, get("http://127.0.0.1:9/x"))
    assert isinstance(error, NetworkError)
    assert error.details == {"host": "127.0.0.1", "reason": "connect", "phase": "connect"}


async def test_an_unknown_name_is_a_network_error() -> None:
    """The reserved name never resolves."""
    async with open_http(FakeClock()) as http:
        error = await failure(http, get("http://trunkline.invalid/x"))
    assert (type(error), error.details["reason"]) == (NetworkError, "dns")


async def test_a_vendor_that_speaks_no_tls_is_a_network_error() -> None:
    """Nothing is sent in the clear instead."""
    async with plain_text_server() as port, open_http(FakeClock()) as http:
        error = await failure(http, get(f"https://127.0.0.1:{port}/x"))
    assert (type(error), error.details["reason"]) == (NetworkError, "tls")
    assert error.details["phase"] == "connect"


async def test_a_proxy_that_is_not_there_is_a_network_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The proxy is named as the reason, not the vendor."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    async with open_http(FakeClock()) as http:
        error = await failure(http, get("http://api.example/x"))
    assert (type(error), error.details["reason"]) == (NetworkError, "proxy")


async def test_a_connection_that_is_not_accepted_in_time_is_a_network_error() -> None:
    """A vendor whose queue is full never answers the first packet."""
    with socket.socket() as deaf, socket.socket() as first, socket.socket() as second:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        first.connect(deaf.getsockname())
        second.setblocking(False)  # noqa: FBT003 - the socket API has no keyword
        second.connect_ex(deaf.getsockname())
        async with open_http(FakeClock(), connect_s=0.1) as http:
            error = await failure(http, get(f"http://127.0.0.1:{deaf.getsockname()[1]}/x"))
    assert (type(error), error.details["phase"]) == (NetworkError, "connect")
    assert "in time" in error.message


@pytest.mark.parametrize("fault", [CUT, Answer(body=b"x" * 100, cut_at=10)])
async def test_a_cut_connection_is_a_network_error_that_may_have_arrived(fault: Answer) -> None:
    """Before the answer or in its middle: the vendor had the request."""
    async with vendor(fault) as there, open_http(FakeClock()) as http:
        error = await failure(http, get(there.url, method="POST", body=b"{}"))
    assert (type(error), error.details["phase"]) == (NetworkError, "exchange")
    assert error.details["reason"] == "reset"
    assert len(there.seen) == 1


async def test_an_answer_over_its_cap_is_refused() -> None:
    """TOO_LARGE, and the connection is given up."""
    async with vendor(Answer(body=b"x" * 101)) as there, open_http(FakeClock()) as http:
        assert isinstance(await failure(http, get(there.url, body_cap=100)), TooLarge)


async def test_an_answer_at_its_cap_is_taken() -> None:
    """The cap is inclusive."""
    async with vendor(Answer(body=b"x" * 100)) as there, open_http(FakeClock()) as http:
        assert len((await http.send(get(there.url, body_cap=100))).body) == 100


async def test_a_compressed_answer_counts_as_it_unfolds() -> None:
    """A small body that grows a thousandfold does not fill the memory."""
    bomb = Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(b"\0" * 4 * MIB))
    async with vendor(bomb) as there, open_http(FakeClock()) as http:
        assert isinstance(await failure(http, get(there.url, body_cap=MIB)), TooLarge)


async def test_of_a_failures_body_the_beginning_is_enough() -> None:
    """An error page of any length stays an error, cut at 1 MiB."""
    page = Answer(status=502, body=b"x" * (2 * MIB))
    async with vendor(page) as there, open_http(FakeClock()) as http:
        response = await http.send(get(there.url))
    assert (response.status, len(response.body)) == (502, MIB)


async def traced(request: Outgoing) -> ReadableSpan:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with open_http(FakeClock()) as opened:
        http = replace(opened, tracer=provider.get_tracer("test"))
        with contextlib.suppress(NetworkError):
            await http.send(request)
    (span,) = exporter.get_finished_spans()
    return span


async def test_an_exchange_leaves_one_client_span_without_query_or_token() -> None:
    """Named by method and template, after the HTTP conventions."""
    async with vendor(json(1, X_GitHub_Request_Id="AB:1")) as there:
        span = await traced(get(there.url + "/x?sig=s3cret-query", template="/x/{id}", resend=2))
    assert (span.name, span.kind) == ("GET /x/{id}", SpanKind.CLIENT)
    attributes = span.attributes or {}
    assert attributes["http.request.method"] == "GET"
    assert attributes["server.address"] == "127.0.0.1"
    assert attributes["url.template"] == "/x/{id}"
    assert attributes["http.response.status_code"] == 200
    assert attributes["http.request.resend_count"] == 2
    assert attributes["trunkline.upstream.request_id"] == "AB:1"
    assert "s3cret" not in span.to_json()


async def test_a_failed_answer_marks_its_span() -> None:
    """The status is the error's type."""
    async with vendor(Answer(status=404)) as there:
        span = await traced(get(there.url))
    assert span.status.status_code is StatusCode.ERROR
    assert (span.attributes or {})["error.type"] == "404"


async def test_a_failed_exchange_marks_its_span_with_the_code() -> None:
    """No exception text stands in the span."""
    span = await traced(get("http://127.0.0.1:9/x?sig=s3cret-query"))
    assert (span.attributes or {})["error.type"] == "NETWORK_ERROR"
    assert "s3cret" not in span.to_json()


def test_the_environments_proxy_is_used_except_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """HTTPS_PROXY and NO_PROXY hold; loopback is never proxied."""
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "internal.example")
    assert proxy_for("https://api.github.com/x") == "http://proxy.example:3128"
    assert proxy_for("https://internal.example/x") is None
    assert proxy_for("https://127.0.0.1/x") is None
    assert proxy_for("https://localhost:8443/x") is None

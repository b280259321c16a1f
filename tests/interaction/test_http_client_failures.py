"""The router's HTTP client over real sockets: servers that fail, and callers that give up."""

import asyncio
import datetime as dt
import socket
import ssl
from collections.abc import Coroutine, Sequence
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.interaction.raw_server import Conversation, always, asked, begun, raw, turns, whole
from tests.interaction.test_router_process import free_port
from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.http1.failing import Cut
from trunkline_router.adapters.http1.names import AddressInfo
from trunkline_router.link import NeverSent

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
NO_ANSWERS = {
    "nothing": b"",
    "garbage": b"220 mail.test ESMTP\r\n",
    "another protocol": b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "two lengths": HEAD + b"Content-Length: 6\r\n\r\nhello",
    "length and chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a transfer coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhello",
    "half a head": HEAD,
    "half a body": HEAD + b"\r\nhel",
    "no last chunk": CHUNKED,
    "a chunk without its size": CHUNKED + b"zz\r\n",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
}
ENDLESS = {
    "a line": (b"HTTP/1.1 200 OK\r\nX: ", b"x" * 65536),
    "lines": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 8192),
    "what is said beforehand": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 4096),
    "a trailer": (CHUNKED + b"0\r\nX: ", b"x" * 65536),
    "trailers": (CHUNKED + b"0\r\n", b"X: y\r\n" * 8192),
    "what is said of a chunk": (CHUNKED + b"5;", b"x" * 65536),
}


@pytest.fixture(params=[True, False], ids=["uvloop", "asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    """Both loops: the router's own, and that of tests."""
    return "asyncio", {"use_uvloop": request.param}


@pytest.mark.parametrize("said", NO_ANSWERS.values(), ids=NO_ANSWERS)
async def test_what_is_no_answer_is_cut(said: bytes) -> None:
    """The server may have done what it was asked, so this is never what was never sent."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(said)

    async with raw(respond) as server, Client(1.0) as client:
        with pytest.raises(Cut):
            await asked(client, server.url)
        assert len(server.seen) == 1


@pytest.mark.parametrize(("begin", "again"), ENDLESS.values(), ids=ENDLESS)
async def test_what_comes_to_no_end_is_not_listened_to(begin: bytes, again: bytes) -> None:
    """No server fills the router's memory with what is around its answers."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(begin)
        while True:
            await conversation.say(again)

    async with raw(respond) as server, Client(1.0) as client:
        with pytest.raises(Cut):
            await asked(client, server.url)
        await server.ended.wait()


async def test_a_stream_that_is_cut_says_so() -> None:
    """What came before is heard, and its end is not taken for the stream's."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(CHUNKED)

    async with raw(respond) as server, Client(1.0) as client:
        answer = await begun(client, server.url)
        heard = bytearray()
        with pytest.raises(Cut):
            await hear(answer, heard)
        assert heard == b"hello"


@pytest.mark.parametrize("said", [b"", HEAD, HEAD + b"\r\nhel", CHUNKED])
async def test_who_gives_up_closes_the_connection(said: bytes) -> None:
    """Whatever has come by then: what is still to come answers nobody else."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        if conversation.number:
            await conversation.say(whole(b"ok"))
        else:
            await conversation.say(said)
            heard.set()
            await conversation.gone()

    heard = asyncio.Event()
    async with raw(respond) as server, Client(1.0) as client:
        await given_up(asked(client, server.url), heard)
        await server.ended.wait()
        assert await asked(client, server.url) == b"ok"


async def test_who_gives_up_on_a_kept_connection_closes_it() -> None:
    """Its answer would be the next one's."""

    async def respond(conversation: Conversation) -> None:
        body = await conversation.request()
        await conversation.say(whole(body))
        await conversation.request()
        heard.set()
        await conversation.gone()

    heard = asyncio.Event()
    async with raw(respond) as server, Client(1.0) as client:
        assert await asked(client, server.url, b"1") == b"1"
        await given_up(asked(client, server.url, b"2"), heard)
        assert await asked(client, server.url, b"3") == b"3"


async def test_who_leaves_a_stream_closes_the_connection() -> None:
    """More might come."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(CHUNKED)
        await conversation.gone()

    async with raw(respond) as server, Client(1.0) as client:
        answer = await begun(client, server.url)
        async for piece in answer.pieces():
            assert piece == b"hello"
            break
        answer.leave()
        await server.ended.wait()


@pytest.mark.parametrize(
    ("rest", "connections"),
    [(b"0\r\n\r\n", 1), (b"4\r\nmore\r\n0\r\n\r\n", 2), (b"", 2)],
    ids=["the end", "more", "nothing"],
)
async def test_a_stream_that_has_said_all_may_end(rest: bytes, connections: int) -> None:
    """Its end comes after its last word; the connection is kept if nothing else does."""

    async def respond(conversation: Conversation) -> None:
        if not conversation.number:
            await conversation.request()
            await conversation.say(CHUNKED)
            await left.wait()
            await conversation.say(rest)
        await conversation.request()
        await conversation.say(whole(b"ok"))

    left = asyncio.Event()
    async with raw(respond) as server, Client(1.0) as client, asyncio.timeout(5):
        answer = await begun(client, server.url)
        assert await anext(answer.pieces()) == b"hello"
        answer.has_ended()
        answer.leave()
        left.set()
        await (turns() if connections == 1 else server.ended.wait())
        assert await asked(client, server.url) == b"ok"
        assert server.connections == connections


async def test_a_name_that_is_looked_up_for_too_long_was_never_sent_to() -> None:
    """And whoever gives up earlier takes nobody's answer away."""

    async def look_up(_: str, port: int) -> Sequence[AddressInfo]:
        asked_for.set()
        await known.wait()
        return [at("127.0.0.1", port)]

    known, asked_for = asyncio.Event(), asyncio.Event()
    async with raw(always(whole(b"ok"))) as server, Client(0.2, look_up) as client:
        url = server.url.with_host("server.test")
        with pytest.raises(NeverSent):
            await asked(client, url)
        await given_up(asked(client, url), asked_for)
        known.set()
        assert await asked(client, url) == b"ok"


async def test_nobody_there_was_never_sent_to() -> None:
    """Neither at the address nor under the name."""
    async with Client(1.0) as client, raw(always(whole(b"ok"))) as server:
        for url in (
            server.url.with_port(free_port()),
            server.url.with_host("nobody.invalid"),
            server.url.with_host("x" * 64 + ".test"),
        ):
            with pytest.raises(NeverSent):
                await asked(client, url)
        assert server.connections == 0


@pytest.mark.parametrize("first", ["::1", "192.0.2.1"], ids=["refused", "silent"])
async def test_an_address_that_does_not_answer_is_passed_over(first: str) -> None:
    """A host has addresses of both families, and some of them lead nowhere."""

    async def look_up(_: str, port: int) -> Sequence[AddressInfo]:
        return [at(first, port), at("127.0.0.1", port)]

    async with raw(always(whole(b"ok"))) as server, Client(3.0, look_up) as client:
        assert await asked(client, server.url.with_host("server.test")) == b"ok"


async def test_one_address_stands_for_every_name() -> None:
    """As for a replica: the name is that of the request still."""
    async with raw(always(whole(b"ok"))) as server, Client(1.0) as client:
        pinned = client.at_address("127.0.0.1")
        assert await asked(pinned, server.url.with_host("server.test")) == b"ok"
        assert b"Host: server.test:%d\r\n" % server.port in server.seen[0]
        pinned.close()


async def test_a_closed_client_closes_what_it_has() -> None:
    """What is under way is cut, and nothing is opened any more."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        heard.set()
        await conversation.gone()

    heard = asyncio.Event()
    async with raw(respond) as server, Client(1.0) as client:
        async with asyncio.TaskGroup() as group:
            group.create_task(closed(client, heard))
            with pytest.raises(Cut):
                await asked(client, server.url)
        await server.ended.wait()
        with pytest.raises(NeverSent):
            await asked(client, server.url)


async def test_what_a_closed_client_has_half_of_is_no_answer() -> None:
    """Even where the end of the connection would be that of the answer."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(b"HTTP/1.1 200 OK\r\n\r\nhel")
        await conversation.gone()

    async with raw(respond) as server, Client(1.0) as client:
        answer = await begun(client, server.url)
        client.close()
        with pytest.raises(Cut):
            await answer.read(100)


async def test_a_certificate_of_nobody_known_is_refused(tmp_path: Path) -> None:
    """With the system's trust; nothing of the request is sent."""
    async with raw(always(whole(b"ok")), tls=certified(tmp_path)) as server, Client(1.0) as client:
        with pytest.raises(NeverSent):
            await asked(client, server.url.with_scheme("https").with_host("localhost"))
        assert server.seen == []


async def test_a_certificate_is_held_against_the_name(tmp_path: Path) -> None:
    """Also where the address is given besides."""
    tls = certified(tmp_path)

    def trust() -> ssl.SSLContext:
        return ssl.create_default_context(cafile=tmp_path / "cert.pem")

    async with raw(always(whole(b"ok")), tls=tls) as server, Client(1.0, trust=trust) as client:
        pinned = client.at_address("127.0.0.1")
        url = server.url.with_scheme("https").with_host("server.test")
        for _ in range(2):
            assert await asked(pinned, url) == b"ok"
        with pytest.raises(NeverSent):
            await asked(pinned, url.with_host("other.test"))
        assert server.connections == 1
        pinned.close()


async def test_a_handshake_that_hangs_was_never_sent_to() -> None:
    """The time to connect is for all of it."""

    async def respond(conversation: Conversation) -> None:
        await conversation.gone()

    async with raw(respond) as server, Client(0.2) as client:
        with pytest.raises(NeverSent):
            await asked(client, server.url.with_scheme("https"))
        await server.ended.wait()


async def given_up(asking: Coroutine[None, None, bytes], when: asyncio.Event) -> None:
    """Ask until something has happened, and no longer."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(asking)
        await when.wait()
        task.cancel()
    assert task.cancelled()


async def closed(client: Client, when: asyncio.Event) -> None:
    await when.wait()
    client.close()


async def hear(answer: Answer, into: bytearray) -> None:
    async for piece in answer.pieces():
        into += piece


def at(address: str, port: int) -> AddressInfo:
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, 0, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port)


def certified(folder: Path) -> ssl.SSLContext:
    """Return the context of a server that vouches for itself, for the name `server.test`."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "server.test")])
    certificate = (
        x509
        .CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2120, 1, 1, tzinfo=dt.UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("server.test")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    kind, bare = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(key.private_bytes(pem, kind, bare))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context

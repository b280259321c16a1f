"""A changed `trunkline.yaml` is in force on the next request, and drops none."""

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from tests.interaction.reloading import (
    OFTEN,
    Following,
    following,
    heard,
    key,
    listening,
    server,
    until,
)
from tests.interaction.upstreams import Held, Json, Scripted, result, running, tool
from tests.interaction.wire import head, modern, modern_headers, read_reply

pytestmark = pytest.mark.anyio


def named(text: str) -> Scripted:
    """Return a server with one tool, which says this text."""

    async def say(_: web.Request, request: Json) -> web.StreamResponse:
        content = [{"type": "text", "text": text}]
        return result(request, {"resultType": "complete", "content": content})

    return Scripted(answer=say, tools=[tool("say")])


@pytest.mark.requirement("gateway.reload")
async def test_an_added_server_is_listed_and_announced(tmp_path: Path) -> None:
    """A stream that asked hears of it, and its tools can be called; the others stay (I 33)."""
    first, second = Scripted(tools=[tool("one")]), Scripted(tools=[tool("two")])
    async with (
        running(first) as a,
        running(second) as b,
        following(tmp_path / "t.yaml", {"servers": {"a": server(a)}}) as router,
        listening(router.mesh) as stream,
    ):
        await heard(stream)
        router.write({"servers": {"a": server(a), "b": server(b)}})
        assert (await heard(stream))["method"] == "notifications/tools/list_changed"
        await router.seen(lambda now: {"one", "two"} <= now.tools.keys())
        for name in ("one", "two"):
            assert (await router.call(name)).result["isError"] is False


@pytest.mark.requirement("gateway.reload-drains")
async def test_a_removed_server_answers_the_call_in_flight(tmp_path: Path) -> None:
    """Its tools are gone from the list at once; the call that it had begun ends well."""
    held = Held()
    other = Scripted(tools=[tool("other")])
    async with (
        running(Scripted(answer=held)) as a,
        running(other) as b,
        following(tmp_path / "t.yaml", {"servers": {"a": server(a), "b": server(b)}}) as router,
        asyncio.TaskGroup() as tasks,
    ):
        call = tasks.create_task(router.call("act"))
        await held.asked.wait()
        router.write({"servers": {"b": server(b)}})
        await router.seen(lambda now: "act" not in now.tools)
        assert (await router.call("act")).error["code"] == -32602
        held.free.set()
        assert (await call).result["isError"] is False


@pytest.mark.requirement("gateway.reload-drains")
async def test_a_moved_server_is_reached_anew_while_the_old_one_ends(tmp_path: Path) -> None:
    """The call begun at the old address is answered there, the next one at the new address."""
    held = Held()
    old = Scripted(answer=held, tools=[tool("say")])
    async with (
        running(old) as before,
        running(named("new")) as after,
        following(tmp_path / "t.yaml", {"servers": {"a": server(before)}}) as router,
        asyncio.TaskGroup() as tasks,
    ):
        call = tasks.create_task(router.call("say"))
        await held.asked.wait()
        router.write({"servers": {"a": server(after)}})

        async def moved() -> bool:
            reply = await asyncio.wait_for(router.call("say"), 5)
            return bool(reply.result["content"]) and reply.result["content"][0]["text"] == "new"

        async with asyncio.timeout(10):
            held.free.set()
            await until(moved)
        assert (await call).result["isError"] is False


@pytest.mark.requirement("gateway.reload")
async def test_a_call_at_a_server_s_old_place_says_nothing_of_the_new_one(tmp_path: Path) -> None:
    """It holds no slot there, and its failure opens no breaker."""
    held = Held()

    async def fails(http: web.Request, request: Json) -> web.StreamResponse:
        await held(http, request)
        return web.Response(status=500)

    terms: Json = {"concurrency": 1, "breaker": {"failures": 1}}
    async with (
        running(Scripted(answer=fails)) as old,
        running(Scripted()) as new,
        following(tmp_path / "t.yaml", {"servers": {"a": server(old, **terms)}}) as router,
        asyncio.TaskGroup() as tasks,
    ):
        late = tasks.create_task(router.call("act"))
        await held.asked.wait()
        fleet = router.mesh.catalog.fleet
        members = fleet.members
        router.write({"servers": {"a": server(new, **terms)}})
        await fleet.changed(members)
        assert (await router.call("act")).result["isError"] is False
        held.free.set()
        assert (await late).result["isError"] is True
        assert (await router.call("act")).result["isError"] is False


@pytest.mark.requirement("gateway.reload")
async def test_what_is_shown_of_a_server_changes_without_reaching_it_anew(tmp_path: Path) -> None:
    """include, rename and prefix act on lists and calls."""
    offered = Scripted(tools=[tool("keep"), tool("drop")])
    async with (
        running(offered) as url,
        following(tmp_path / "t.yaml", {"servers": {"a": server(url)}}) as router,
    ):
        await router.seen(lambda now: now.tools.keys() == {"keep", "drop"})
        router.write({"servers": {"a": server(url, exclude=["drop"], rename={"keep": "kept"})}})
        await router.seen(lambda now: now.tools.keys() == {"kept"})
        assert (await router.call("kept")).result["isError"] is False
        router.write({"servers": {"a": server(url)}, "router": {"prefix": "always"}})
        await router.seen(lambda now: now.tools.keys() == {"a__keep", "a__drop"})


@pytest.mark.requirement("gateway.reload-keys")
async def test_keys_come_and_go_with_the_next_request(tmp_path: Path) -> None:
    """A new key opens, a revoked one does not, and the one that stays never notices."""
    async with (
        running(Scripted()) as url,
        following(
            tmp_path / "t.yaml",
            {"servers": {"a": server(url)}, "keys": [key("stays"), key("goes")]},
        ) as router,
    ):
        assert (await router.call("act", by="goes")).status == 200
        assert (await router.call("act", by="comes")).status == 401
        router.write({"servers": {"a": server(url)}, "keys": [key("stays"), key("comes")]})

        async def revoked() -> bool:
            assert (await router.call("act", by="stays")).status == 200
            return (await router.call("act", by="goes")).status == 401

        await until(revoked)
        assert (await router.call("act", by="comes")).status == 200


@pytest.mark.requirement("gateway.reload-keys")
async def test_the_streams_of_a_revoked_key_end_and_those_of_others_stay(tmp_path: Path) -> None:
    """Its listen stream ends with a refusal; the other one goes on and hears what happens."""
    offered = Scripted()
    content = {"keys": [key("stays"), key("goes")]}
    async with (
        running(offered) as url,
        following(tmp_path / "t.yaml", {"servers": {"a": server(url)}, **content}) as router,
        listening(router.mesh, by="stays") as kept,
        listening(router.mesh, by="goes") as ended,
    ):
        await heard(kept)
        await heard(ended)
        router.write({"servers": {"a": server(url)}, "keys": [key("stays")]})
        assert b'"error"' in await ended.readuntil(b"0\r\n\r\n")
        offered.tools.append(tool("new"))
        router.write({
            "servers": {"a": server(url, describe={"act": "Else."})},
            "keys": [key("stays")],
        })
        assert (await heard(kept))["method"] == "notifications/tools/list_changed"


@pytest.mark.requirement("gateway.reload-broken")
@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("servers: {a: {url: nowhere}}", "servers.a.url"),
        ("servers: [", "no YAML"),
        ("serverz: {}", "did you mean 'servers'"),
        ("", "the file is empty"),
        ("keys: []\nkeys: []\n", "the key 'keys' comes twice"),
        ("- 1", "t.yaml"),
        ("servers: {a: {url: 2026-13-01}}", "not what it looks like"),
        ("servers: {a: {url: 'http://h:99999/mcp'}}", "servers.a.url"),
        ("servers: {a: {url: 'http://xn--/mcp'}}", "servers.a.url"),
    ],
)
async def test_a_broken_file_changes_nothing_and_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, broken: str, told: str
) -> None:
    """One message names the key and the fault; mended, the file is in force."""
    caplog.set_level(logging.ERROR)
    path = tmp_path / "t.yaml"
    async with (
        running(Scripted()) as url,
        following(path, {"servers": {"a": server(url)}}) as router,
    ):
        path.write_text(broken, encoding="utf-8")
        await until(lambda: logged(router, caplog))
        assert (await router.call("act")).result["isError"] is False
        router.write({"servers": {"a": server(url, include=["write"])}})
        await router.seen(lambda now: now.tools.keys() == {"write"})
    (record,) = caplog.records
    assert "the configuration stays as it was" in record.getMessage()
    assert told in record.getMessage()


async def logged(router: Following, caplog: pytest.LogCaptureFixture) -> bool:
    await router.call("act")
    return bool(caplog.records)


@pytest.mark.requirement("gateway.reload-broken")
async def test_a_file_that_is_gone_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither keys nor servers are lost to a file that somebody moved away."""
    caplog.set_level(logging.ERROR)
    path = tmp_path / "t.yaml"
    async with (
        running(Scripted()) as url,
        following(path, {"servers": {"a": server(url)}, "keys": [key("k")]}) as router,
    ):
        path.unlink()
        await until(lambda: logged(router, caplog))
        assert (await router.call("act")).status == 401
        assert (await router.call("act", by="k")).result["isError"] is False
    assert len(caplog.records) == 1


@pytest.mark.requirement("gateway.reload")
async def test_a_mounted_configmap_is_followed(tmp_path: Path) -> None:
    """Kubernetes swaps a link to a folder, under a link that stays."""
    offered = Scripted(tools=[tool("keep"), tool("drop")])
    async with running(offered) as url:
        for name, shown in {"1": "*", "2": "keep"}.items():
            (tmp_path / name).mkdir()
            text = f"servers: {{a: {{url: '{url}/mcp', include: ['{shown}']}}}}"
            (tmp_path / name / "trunkline.yaml").write_text(text, encoding="utf-8")
        (tmp_path / "data").symlink_to(tmp_path / "1")
        path = tmp_path / "trunkline.yaml"
        path.symlink_to(tmp_path / "data" / "trunkline.yaml")
        content = {"servers": {"a": server(url)}}
        async with following(path, content) as router:
            await router.seen(lambda now: now.tools.keys() == {"keep", "drop"})
            (tmp_path / "data.new").symlink_to(tmp_path / "2")
            (tmp_path / "data.new").rename(tmp_path / "data")
            await router.seen(lambda now: now.tools.keys() == {"keep"})


@pytest.mark.requirement("gateway.reload")
async def test_a_wish_to_reload_needs_no_look_at_the_clock(tmp_path: Path) -> None:
    """What SIGHUP sets has the file read, even one that nobody would notice has changed."""
    async with (
        running(Scripted()) as url,
        following(
            tmp_path / "t.yaml",
            {"servers": {"a": server(url)}},
            terms=replace(OFTEN, look_s=3600),
        ) as router,
    ):
        router.write({"servers": {"a": server(url, include=["act"])}})
        router.around.reload.set()
        await router.seen(lambda now: now.tools.keys() == {"act"})


@pytest.mark.requirement("gateway.reload")
async def test_no_call_fails_while_the_file_changes_all_the_time(tmp_path: Path) -> None:
    """Servers come, go and are shown anew around one that stays."""
    calm, other = named("calm"), Scripted(tools=[tool("other")])
    done = asyncio.Event()

    async def client(router: Following) -> int:
        body = modern("tools/call", {"name": "say", "arguments": {}})
        port = router.mesh.port
        raw = head(body, modern_headers("tools/call", "say"), port=port) + body
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        calls = 0
        while not done.is_set():
            writer.write(raw)
            reply = await read_reply(reader)
            assert reply.result["content"][0]["text"] == "calm"
            calls += 1
        writer.close()
        return calls

    async def change(router: Following, a: str, b: str) -> None:
        for number in range(4):
            router.write({"servers": {"a": server(a), "b": server(b)}})
            await router.seen(lambda now: "other" in now.tools)
            router.write({"servers": {"a": server(a, describe={"say": f"{number}"})}})
            await router.seen(lambda now: "other" not in now.tools)
        done.set()

    async with (
        running(calm) as a,
        running(other) as b,
        following(tmp_path / "t.yaml", {"servers": {"a": server(a)}}) as router,
    ):
        async with asyncio.TaskGroup() as tasks:
            clients = [tasks.create_task(client(router)) for _ in range(4)]
            await change(router, a, b)
        assert all(one.result() > 4 for one in clients)

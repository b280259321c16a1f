"""The router as several processes that share a port: one router to whoever calls it."""

import asyncio
import os
import resource
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from aiohttp import web

from tests.interaction.reloading import until
from tests.interaction.test_router_process import free_port, program
from tests.interaction.upstreams import Json, Scripted, result, running
from tests.interaction.wire import LEGACY_HEADERS, Reply, legacy
from tests.interaction.workers import children_of, two, workers
from tests.redis_process import running_redis

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


class Book:
    """A server with one value, which one tool reads and one writes."""

    def __init__(self) -> None:
        self.value = 0
        self.reads = 0

    async def __call__(self, _: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        if params["name"] == "write":
            self.value = params["arguments"]["value"]
        else:
            self.reads += 1
        content = [{"type": "text", "text": str(self.value)}]
        return result(request, {"resultType": "complete", "content": content, "isError": False})


def text(reply: Reply) -> str:
    return str(reply.result["content"][0]["text"])


@pytest.mark.requirement("workers.redis")
async def test_without_redis_they_do_not_start() -> None:
    """One line names the variable, its value, why, and what to do."""
    async with program(free_port(), "http://127.0.0.1:1", TRUNKLINE_WORKERS="2") as process:
        async with asyncio.timeout(30):
            _, stderr = await process.communicate()
    assert process.returncode == 1
    (line,) = stderr.decode().strip().splitlines()
    assert "TRUNKLINE_WORKERS=2" in line
    assert "old answers" in line
    assert "TRUNKLINE_REDIS_URL" in line


@pytest.mark.requirement("workers.redis")
@pytest.mark.parametrize("given", ["0", "-1", "many", "65", "1.5"])
async def test_a_number_that_is_none_is_named(given: str) -> None:
    """The variable, its value and what it may be."""
    async with program(free_port(), "http://127.0.0.1:1", TRUNKLINE_WORKERS=given) as process:
        async with asyncio.timeout(30):
            _, stderr = await process.communicate()
    assert process.returncode == 1
    assert "TRUNKLINE_WORKERS" in stderr.decode()
    assert given in stderr.decode()


@pytest.mark.requirement("workers.redis")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"TRUNKLINE_REDIS_URL": "redis://127.0.0.1:1/0?odd=1"}, "TRUNKLINE_REDIS_URL="),
        ({"OTEL_METRIC_EXPORT_INTERVAL": "soon"}, "OTEL_METRIC_EXPORT_INTERVAL='soon'"),
        ({"TMPDIR": "deep"}, "TMPDIR"),
    ],
)
async def test_what_no_worker_can_use_is_said_as_by_one_process(
    given: dict[str, str], told: str, tmp_path: Path
) -> None:
    """The variable and what is wrong with it, on one line, and no traceback."""
    deep = tmp_path / ("deep" * 25)
    deep.mkdir()
    more = {
        "TRUNKLINE_WORKERS": "2",
        "TRUNKLINE_REDIS_URL": "redis://127.0.0.1:1",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
    }
    more |= {name: str(deep) if value == "deep" else value for name, value in given.items()}
    async with program(free_port(), "http://127.0.0.1:1", **more) as process:
        async with asyncio.timeout(30):
            _, stderr = await process.communicate()
    assert process.returncode == 1
    lines = stderr.decode().splitlines()
    assert [told in line for line in lines].count(True) == 1
    assert "Traceback" not in stderr.decode()


@pytest.mark.requirement("workers.one")
async def test_one_worker_is_the_process_itself() -> None:
    """No second process, and no Redis."""
    port = free_port()
    async with (
        asyncio.timeout(60),
        running(Scripted()) as url,
        program(port, url, TRUNKLINE_WORKERS="1") as process,
    ):
        assert process.stderr is not None
        while b"ready at " not in await process.stderr.readline():
            pass
        assert children_of(process.pid) == []


@pytest.mark.requirement("workers.shared")
async def test_both_answer_and_no_read_is_older_than_a_write() -> None:
    """A write through one worker is seen by the next read through the other, and kept again."""
    book = Book()
    async with two(book) as router:
        one, other = await router.each()
        for value in range(1, 30):
            writer, reader = (one, other) if value % 2 else (other, one)
            assert text(await reader.call("act")) == str(value - 1)
            assert not (await writer.call("write", value=value)).result["isError"]
            assert text(await reader.call("act")) == str(value)
            assert text(await writer.call("act")) == str(value)
    assert book.reads < 4 * 29, "nothing was kept"


@pytest.mark.requirement("workers.restart")
async def test_one_that_is_killed_costs_its_own_calls_only_and_comes_back() -> None:
    """Calls on other connections, new ones among them, go on as if nothing had happened."""
    async with two(Book()) as router:
        one, other = await router.each()
        failed: list[int] = []
        done = asyncio.Event()

        async def steady() -> None:
            while not done.is_set():
                assert text(await other.call("act")) == "0"

        async def stricken() -> None:
            try:
                while True:
                    await one.call("act")
            except (asyncio.IncompleteReadError, ConnectionError):
                failed.append(one.worker)

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(steady())
            cut = tasks.create_task(stricken())
            os.kill(one.worker, signal.SIGKILL)
            await cut

            async def back() -> bool:
                # Whoever comes meanwhile is answered by the other.
                assert text(await (await router.connected()).call("act")) == "0"
                return len(router.ids) == 2 and one.worker not in router.ids

            await until(back)
            await router.each()
            done.set()
        assert failed == [one.worker]


@pytest.mark.requirement("workers.restart")
async def test_one_that_cannot_be_started_now_is_started_later() -> None:
    """The other goes on meanwhile, and so does who starts them."""
    async with two(Book()) as router, asyncio.timeout(60):
        one, other = await router.each()
        limits = resource.prlimit(router.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(router.process.pid, resource.RLIMIT_NOFILE, (3, limits[1]))
        os.kill(one.worker, signal.SIGKILL)
        assert router.process.stderr is not None
        while b"cannot be started" not in (line := await router.process.stderr.readline()):
            assert line, "the router has ended"
        assert text(await other.call("act")) == "0"
        resource.prlimit(router.process.pid, resource.RLIMIT_NOFILE, limits)

        async def back() -> bool:
            await other.call("act")
            return len(router.ids) == 2

        await until(back)


@pytest.mark.requirement("workers.end")
async def test_sigterm_loses_no_call() -> None:
    """Calls in flight on both are answered, each the last on its connection; the code is 0."""
    flowing, waiting = asyncio.Event(), asyncio.Semaphore(0)

    async def held(_: web.Request, request: Json) -> web.StreamResponse:
        waiting.release()
        await flowing.wait()
        content = [{"type": "text", "text": "late"}]
        return result(request, {"resultType": "complete", "content": content, "isError": False})

    async with two(held) as router:
        one, other = await router.each()
        async with asyncio.TaskGroup() as tasks:
            calls = [tasks.create_task(each.call("write")) for each in (one, other)]
            for _ in calls:
                await waiting.acquire()
            router.process.send_signal(signal.SIGTERM)

            async def refuses() -> bool:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", router.port)
                except OSError:
                    return True
                writer.close()
                return False

            await until(refuses)
            flowing.set()
        assert [text(call.result()) for call in calls] == ["late", "late"]
        async with asyncio.timeout(10):
            assert await router.process.wait() == 0


@pytest.mark.requirement("workers.end")
async def test_a_second_signal_ends_both_soon() -> None:
    """As it does with one process: SIGTERM waits for the calls, the next one does not."""

    waiting = asyncio.Semaphore(0)

    async def never(_: web.Request, __: Json) -> web.StreamResponse:
        waiting.release()
        await asyncio.Event().wait()
        raise AssertionError

    async with two(never) as router, asyncio.TaskGroup() as tasks:
        ids = router.ids
        calls = [tasks.create_task(one.call("write")) for one in await router.each()]
        for _ in calls:
            await waiting.acquire()
        router.process.send_signal(signal.SIGTERM)
        router.process.send_signal(signal.SIGINT)
        began = time.monotonic()
        async with asyncio.timeout(10):
            assert await router.process.wait() == 0
        assert time.monotonic() - began < 5
        assert not any(map(lives, ids))
        for call in calls:
            assert (await call).result["isError"]


@pytest.mark.requirement("workers.end")
async def test_who_does_not_even_hurry_is_killed_and_leaves_nothing(tmp_path: Path) -> None:
    """One more signal is the end, as with one process; the folder of the workers goes as well."""
    async with two(Book(), TMPDIR=str(tmp_path)) as router:
        ids = router.ids
        assert names_in(tmp_path)
        for one in ids:
            os.kill(one, signal.SIGSTOP)

        async def ended() -> bool:
            router.process.send_signal(signal.SIGINT)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await router.process.wait()
            return router.process.returncode is not None

        await until(ended)
        assert router.process.returncode == 128 + signal.SIGINT
        assert not any(map(lives, ids))
        assert names_in(tmp_path) == []


@pytest.mark.requirement("workers.orphans")
async def test_none_outlives_a_supervisor_that_is_killed() -> None:
    """They notice, and end as by SIGTERM."""
    async with two(Book()) as router:
        ids = router.ids
        router.process.kill()
        await router.process.wait()

        async def gone() -> bool:
            return not await asyncio.to_thread(lambda: any(lives(one) for one in ids))

        await until(gone)


def names_in(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir()]


def lives(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    try:
        return "State:\tZ" not in status.read_text(encoding="ascii")
    except OSError:
        return False


@pytest.mark.requirement("workers.reload")
async def test_sighup_reloads_all(tmp_path: Path) -> None:
    """Each shows what the file says now."""
    path = tmp_path / "t.yaml"
    path.write_text("router: {}", encoding="utf-8")
    with running_redis() as redis:
        async with (
            running(Scripted()) as url,
            workers(url, redis, TRUNKLINE_CONFIG=str(path)) as router,
        ):
            both = await router.each()
            entry = {"url": f"{url}/mcp", "include": ["act"]}
            path.write_text(yaml.safe_dump({"servers": {"a": entry}}), encoding="utf-8")
            router.process.send_signal(signal.SIGHUP)

            async def narrowed() -> bool:
                replies = [await one.send(legacy("tools/list"), LEGACY_HEADERS) for one in both]
                shown = [[each["name"] for each in reply.result["tools"]] for reply in replies]
                return shown == [["act"], ["act"]]

            await until(narrowed)


@pytest.mark.requirement("workers.slots")
async def test_a_server_with_fewer_slots_than_workers_is_refused(tmp_path: Path) -> None:
    """What a server is promised is divided, and a slot cannot be."""
    path = tmp_path / "t.yaml"
    path.write_text(
        "servers: {a: {url: 'http://127.0.0.1:1/mcp', concurrency: 1}}", encoding="utf-8"
    )
    with running_redis() as redis:
        more = {
            "TRUNKLINE_WORKERS": "2",
            "TRUNKLINE_REDIS_URL": redis.url,
            "TRUNKLINE_CONFIG": str(path),
        }
        async with program(free_port(), "http://127.0.0.1:1", **more) as process:
            async with asyncio.timeout(30):
                _, stderr = await process.communicate()
    assert process.returncode == 1
    assert "servers.a.concurrency=1" in stderr.decode()
    assert "TRUNKLINE_WORKERS=2" in stderr.decode()

"""`/metrics`: what Prometheus reads of a router."""

import shutil
import subprocess

import pytest
from prometheus_client.openmetrics import parser

from tests.interaction.cache_operating import EYE, KEYS, WORKER, ask, invalidate, samples
from tests.interaction.caching import call, library, versions
from tests.interaction.guarding import Mood, calls, sick
from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh, routing
from tests.interaction.quota_notes import CREDENTIAL, noting
from tests.interaction.upstreams import Scripted, cut, running, tool
from tests.interaction.wire import get, head, send
from tests.redis_process import IN_CI

pytestmark = pytest.mark.anyio

PAGE = "/metrics"


async def scraped(mesh: Mesh) -> dict[str, float]:
    """Return all samples."""
    reply = await get(mesh.port, PAGE)
    assert (reply.status, reply.headers["content-type"].split(";")[0]) == (200, "text/plain")
    return samples(reply.body.decode())


@pytest.mark.requirement("cache.metrics")
async def test_the_cache_is_counted_by_tier_with_what_it_saved() -> None:
    """Each read is one of the counters; memory is shown in bytes."""
    async with library() as books:
        await versions(books.one, "look", 4)
        await call(books.one, "change", "2")
        await invalidate(books.one, "doc:9")
        seen = await scraped(books.one)
    assert seen["trunkline_cache_hits_total tier=process"] == 3
    assert seen["trunkline_cache_hits_total tier=shared"] == 0
    assert seen["trunkline_cache_misses_total"] == 1
    assert seen["trunkline_cache_saved_calls_total"] == 3
    assert seen["trunkline_cache_saved_quota_total"] == 0
    assert seen["trunkline_cache_bumps_total"] == 3
    assert (seen["trunkline_cache_entries"], seen["trunkline_cache_on"]) == (1, 1)
    assert 0 < seen["trunkline_cache_bytes"] < seen["trunkline_cache_limit_bytes"]
    assert seen["trunkline_server_calls_total server=github"] == 2
    assert seen["trunkline_server_duration_seconds_count server=github"] == 2


@pytest.mark.parametrize(
    "asked", ["application/openmetrics-text;version=x", "text/plain;version=1.x", "\udcff"]
)
async def test_a_format_that_is_none_is_answered_in_prometheus_own(asked: str) -> None:
    """Whatever else an Accept header says."""
    async with routing({}, settled=False) as mesh:
        raw = head(b"", {"Accept": "ACCEPT"}, port=mesh.port, path=PAGE, verb="GET")
        accept = asked.encode("utf-8", "surrogateescape")
        # Servers that nobody has are looked up meanwhile.
        reply = await send(mesh.port, raw.replace(b"ACCEPT", accept), timeout=30)
    assert (reply.status, reply.headers["content-type"].split(";")[0]) == (200, "text/plain")


@pytest.mark.requirement("cache.metrics")
async def test_a_server_that_fails_is_seen_with_its_breaker() -> None:
    """Calls that were sent, those that came to nothing, and the one state that it is in."""
    mood = Mood(error=sick())
    async with (
        running(Scripted(answer=mood)) as ill,
        running(Scripted(answer=cut, tools=[tool("vanish")])) as gone,
        routing({"ill": ill, "gone": gone}) as mesh,
    ):
        await calls(mesh, "act", 4)
        await calls(mesh, "vanish", 1)
        seen = await scraped(mesh)
    assert seen["trunkline_server_calls_total server=ill"] == 3
    assert seen["trunkline_server_failures_total server=ill"] == 0
    assert seen["trunkline_server_failures_total server=gone"] == 1
    states = {state: seen[f"trunkline_server_breaker_state server=ill state={state}"]
              for state in ("closed", "open", "half-open")}  # fmt: skip
    assert states == {"closed": 0, "open": 1, "half-open": 0}
    assert seen["trunkline_server_available server=ill"] == 0
    assert seen["trunkline_server_queued server=ill"] == 0


@pytest.mark.requirement("cache.metrics")
async def test_what_is_left_of_a_quota_is_shown() -> None:
    """By the fingerprint of its credential, as the vendor's answers told."""
    async with library() as books:
        books.documents.mood = noting(4000)
        await call(books.one, "look")
        seen = await scraped(books.one)
    of = f"credential={CREDENTIAL} resource=core"
    assert seen[f"trunkline_quota_remaining {of}"] == 4000
    assert seen[f"trunkline_quota_limit {of}"] == 5000


@pytest.mark.requirement("cache.metrics", "gateway.scopes")
async def test_a_scrape_needs_the_scope_observe_where_there_are_keys() -> None:
    """As /status does; GET alone is answered."""
    async with library(configured=KEYS) as books:
        port = books.one.port
        statuses = [(await get(port, PAGE, bearing(key))).status for key in (None, WORKER, EYE)]
        assert statuses == [401, 403, 200]
        posted = await ask(books.one, b"", EYE, path=PAGE)
        assert (posted.status, posted.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.requirement("cache.metrics")
async def test_who_asks_for_openmetrics_gets_it() -> None:
    """By its Accept header, with the end that the format asks for."""
    accept = {"Accept": "application/openmetrics-text; version=1.0.0"}
    async with library() as books:
        reply = await get(books.one.port, PAGE, accept)
    assert reply.headers["content-type"].startswith("application/openmetrics-text")
    read = parser.text_string_to_metric_families(reply.body.decode())  # type: ignore[no-untyped-call] # it has no types
    families = {family.name for family in read}
    assert {"trunkline_build", "trunkline_cache_hits", "trunkline_server_calls"} <= families


@pytest.mark.requirement("cache.metrics")
async def test_each_metric_is_explained_once_and_named_in_prometheus_habit() -> None:
    """A help and a type for each; ours begin with our name or the protocol's."""
    async with library() as books:
        lines = (await get(books.one.port, PAGE)).body.decode().splitlines()
    helped = [line.split()[2] for line in lines if line.startswith("# HELP")]
    typed = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert helped == typed == list(dict.fromkeys(helped))
    assert {name.partition("_")[0] for name in typed} == {"trunkline", "process", "mcp"}


@pytest.mark.requirement("cache.metrics")
async def test_promtool_finds_nothing_to_complain_of() -> None:
    """Names, units and help are as Prometheus' own linter wants them."""
    promtool = shutil.which("promtool")
    if promtool is None:
        missing = "promtool is not installed (Debian, Ubuntu: apt install prometheus)"
        if IN_CI:
            pytest.fail(missing)
        pytest.skip(missing)
    async with library() as books:
        await versions(books.one, "look", 2)
        body = (await get(books.one.port, PAGE)).body
    done = subprocess.run(  # noqa: ASYNC221 - nothing else runs by then
        [promtool, "check", "metrics"], input=body, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

"""Every query of the dashboard and of the alerts is run by a real Prometheus on a real router."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.interaction.cache_operating import EYE, KEYS, WORKER
from tests.interaction.caching import TOOLS, Documents, call
from tests.interaction.guarding import Mood, sick
from tests.interaction.keys import ask, bearing
from tests.interaction.mesh import Mesh, routing
from tests.interaction.prometheus_process import Prometheus, scraping
from tests.interaction.quota_notes import noting
from tests.interaction.upstreams import Held, Scripted, running, tool
from tests.interaction.wire import get
from tests.observability import DASHBOARD, ROOT, panels_of, rules_of

pytestmark = pytest.mark.anyio

Scene = tuple[Mesh, Prometheus]
RIGHTLY_EMPTY = {
    'ALERTS{alertname=~"Trunkline.*", alertstate="firing"}': "nothing has lasted long enough",
    "otelcol_exporter_send_failed_spans_total": "no collector runs here",
    "otelcol_exporter_enqueue_failed_spans_total": "no collector runs here",
    'trunkline_audit_records_total{outcome="lost"}': "no audit log is configured",
    'sum(rate(trunkline_audit_records_total{job="trunkline", outcome="lost"}[1m]))': (
        "no audit log is configured"
    ),
}
VARIABLES = {
    "$__rate_interval": "1m",
    "$__range": "1m",
    "$job": "trunkline",
    "$server": ".*",
    "$agent": ".*",
    "$tool": ".*",
}
SELECTOR = re.compile(r"\b(?:trunkline|mcp|otelcol|up|process)[a-z0-9_:]*\b(?:\{[^}]*\})?")
NO_METRIC = {"trunkline", "trunkline_server", "up"}


def drawn() -> Iterator[str]:
    """Return what the dashboard asks, as if all servers, agents and tools were chosen."""
    for panel in panels_of(DASHBOARD):
        for target in panel["targets"]:
            yield filled(target["expr"])
    for note in DASHBOARD["annotations"]["list"]:
        yield filled(note["expr"])


def told() -> Iterator[str]:
    """Return what docs/operate.md has an operator ask."""
    text = (ROOT / "docs/operate.md").read_text(encoding="utf-8")
    yield from re.findall(r"```promql\n(.+?)\n```", text, re.DOTALL)


def filled(expression: str) -> str:
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    return expression


def chosen_from() -> Iterator[tuple[str, str]]:
    """Return where each variable of the dashboard gets its values: the series, and the label."""
    for variable in DASHBOARD["templating"]["list"]:
        found = re.fullmatch(r"label_values\((.+), (\w+)\)", variable["definition"])
        assert found is not None
        yield filled(found[1]), found[2]


def selectors() -> Iterator[str]:
    """Return each series that a rule reads."""
    for rule in (*rules_of("recording.yaml"), *rules_of("alerts.yaml")):
        text = re.sub(r"\b(?:by|on) \([^)]*\)", "", rule["expr"])
        yield from (one for one in SELECTOR.findall(text) if one not in NO_METRIC)


async def unanswered(prometheus: Prometheus, queries: Iterable[str]) -> set[str]:
    """Return those queries that have no series, also when they are asked a few times."""
    open_ = set(queries)
    for _ in range(10):
        open_ = {query for query in open_ if not await prometheus.query(query)}
        if open_ <= set(RIGHTLY_EMPTY):
            break
        # On a machine that is busy a scrape may come too late, and takes the gauges with it.
        await prometheus.scrapes(1)
    return open_


def empty_among(queries: Iterable[str]) -> set[str]:
    return {query for query in queries if query in RIGHTLY_EMPTY}


@asynccontextmanager
async def called(folder: Path) -> AsyncIterator[Scene]:
    """Run a router with keys; one server answers, one has an open breaker, one a full queue."""
    documents, held = Documents(mood=noting(400)), Held()
    configured = KEYS | {"servers": {"jira": {"concurrency": 1, "queue": 1}}}
    async with (
        running(Scripted(answer=documents, tools=list(TOOLS))) as github,
        running(Scripted(answer=Mood(error=sick()), tools=[tool("get_ci_status")])) as ill,
        running(Scripted(answer=held, tools=[tool("get_jira_issue")])) as slow,
        routing({"github": github, "github_ci": ill, "jira": slow}, configured=configured) as mesh,
        scraping(f"127.0.0.1:{mesh.port}", folder, EYE) as prometheus,
    ):
        async with asyncio.timeout(30):
            await work(mesh, held)
            await prometheus.scrapes(2)
            await work(mesh, held)
            await prometheus.scrapes(3)
            await prometheus.judged()
        yield mesh, prometheus


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The one of all tests, for as long as this module's: a scene takes seconds to set."""
    return "asyncio"


@pytest.fixture(name="scene", scope="module")
async def the_scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    """A router that has been called, and a Prometheus that has seen it."""
    async with called(tmp_path_factory.mktemp("prometheus")) as scene:
        yield scene


async def work(mesh: Mesh, held: Held) -> None:
    """Hit and miss, fail until the breaker opens, wait for a slot, and be refused one."""
    for name in ("look", "look", "change", "get_ci_status", "get_ci_status", "get_ci_status"):
        await call(mesh, name, bearer=WORKER)
    assert (await ask(mesh, None)).status == 401
    held.asked.clear()
    held.free.clear()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(call(mesh, "get_jira_issue", bearer=WORKER))
        await held.asked.wait()
        page = "jira"
        while (await get(mesh.port, "/status", bearing(EYE))).json["servers"][page]["queued"] < 1:
            pass
        held.free.set()


@pytest.mark.requirement("seeing.queries")
async def test_every_query_of_the_dashboard_answers(scene: Scene) -> None:
    """With series, but for the few that rightly have none; what operators are told to ask, too."""
    _, prometheus = scene
    async with asyncio.timeout(20):
        assert await unanswered(prometheus, drawn()) == empty_among(drawn())
        assert await unanswered(prometheus, told()) == set()
        for series, label in chosen_from():
            values = await prometheus.ask(f"label/{label}/values", **{"match[]": series})
            assert values, (series, label)


@pytest.mark.requirement("seeing.queries")
async def test_every_series_that_a_rule_reads_is_there(scene: Scene) -> None:
    """Names, labels and their values; Prometheus finds no fault with any rule, or its texts."""
    _, prometheus = scene
    async with asyncio.timeout(20):
        rules = await prometheus.judged()
        assert {rule["name"]: rule["lastError"] for rule in rules if "lastError" in rule} == {}
        assert await unanswered(prometheus, selectors()) == empty_among(selectors())
        raised = (await prometheus.ask("alerts"))["alerts"]
        assert "TrunklineBreakerOpen" in {alert["labels"]["alertname"] for alert in raised}
        assert "TrunklineQuotaNearlyExhausted" in {one["labels"]["alertname"] for one in raised}
        assert "error" not in str([alert["annotations"]["description"] for alert in raised])


@pytest.mark.requirement("seeing.queries")
async def test_a_bucket_leads_to_the_trace_of_a_call_that_fell_into_it(scene: Scene) -> None:
    """Under the label that Grafana's link reads; the router has each of these traces."""
    mesh, prometheus = scene
    async with asyncio.timeout(20):
        found = await prometheus.ask(
            "query_exemplars",
            query="mcp_server_operation_duration_seconds_bucket",
            start="0",
            end="9999999999",
        )
        named = {one["labels"]["trace_id"] for series in found for one in series["exemplars"]}
        assert named
        for trace_id in named:
            reply = await get(mesh.port, f"/api/traces/{trace_id}", bearing(EYE))
            assert reply.status == 200


@pytest.mark.requirement("seeing.queries")
async def test_prometheus_needs_no_key_where_there_are_none(tmp_path: Path) -> None:
    """It shows what is in the empty file, and is let in as anybody is."""
    async with (
        asyncio.timeout(50),
        running(Scripted()) as url,
        routing({"github": url}) as mesh,
        scraping(f"127.0.0.1:{mesh.port}", tmp_path) as prometheus,
    ):
        await prometheus.scrapes(1)
        assert await prometheus.value('up{job="trunkline"}') == 1

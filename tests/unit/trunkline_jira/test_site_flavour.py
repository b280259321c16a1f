"""Cloud or Data Center: found out once, whoever asks, and never remembered wrongly."""

import asyncio
from dataclasses import dataclass, field

import pytest

from trunkline_jira.site.flavour import (
    Deployment,
    Detection,
    Flavour,
    ServerInfo,
    deployment,
)
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import NetworkError, UpstreamTimeout

pytestmark = pytest.mark.anyio

FOUND = Deployment(flavour=Flavour.CLOUD, pages="https://acme.test")


@dataclass
class Server:
    """Answers when it is let, with what it is told to."""

    answers: list[Deployment | Exception]
    asked: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self) -> Deployment:
        self.asked += 1
        answer = self.answers.pop(0)
        await self.open.wait()
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.requirement("jira.one-flavour")
@pytest.mark.parametrize(
    ("said", "flavour"),
    [
        ("Cloud", Flavour.CLOUD),
        ("cloud", Flavour.CLOUD),
        ("Server", Flavour.DATA_CENTER),
        ("Data Center", Flavour.DATA_CENTER),
        (None, Flavour.DATA_CENTER),
    ],
)
def test_the_deployment_type_decides(said: str | None, flavour: Flavour) -> None:
    """Old servers do not say anything, and they are servers."""
    assert deployment(ServerInfo(deploymentType=said), "https://x.test").flavour is flavour


def test_pages_are_at_the_site_and_not_at_the_gateway() -> None:
    """People cannot open the gateway; only Jira knows the site behind it."""
    gateway = "https://api.atlassian.com/ex/jira/1"
    info = ServerInfo(baseUrl="https://acme.atlassian.net/", deploymentType="Cloud")
    assert deployment(info, gateway).page("ME-1") == "https://acme.atlassian.net/browse/ME-1"
    assert deployment(info, "https://own.test/jira").pages == "https://own.test/jira"
    odd = ServerInfo(baseUrl="javascript:alert(1)", deploymentType="Cloud")
    assert deployment(odd, gateway).pages == gateway


@pytest.mark.requirement("jira.one-flavour")
async def test_all_who_ask_at_once_share_one_request() -> None:
    """The first call of an agent is often several at once."""
    server = Server([FOUND])
    detection = Detection(ask=server.ask)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(detection.get()) for _ in range(5)]
        await asyncio.sleep(0)
        server.open.set()
    assert [one.result() for one in asking] == [FOUND] * 5
    assert await detection.get() is FOUND
    assert server.asked == 1


@pytest.mark.requirement("jira.one-flavour")
async def test_a_failure_is_told_to_all_who_wait_and_then_forgotten() -> None:
    """Five callers are not five requests to a server that is down; the next one asks again."""
    server = Server([NetworkError("down"), FOUND])
    detection = Detection(ask=server.ask)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(_failed(detection)) for _ in range(5)]
        await asyncio.sleep(0)
        server.open.set()
    assert all(one.result() for one in asking)
    assert server.asked == 1
    assert await detection.get() is FOUND


@pytest.mark.requirement("jira.one-flavour")
async def test_another_ones_deadline_is_nobody_elses() -> None:
    """The one who asked had little time; who waits asks again."""
    server = Server([UpstreamTimeout("too late"), FOUND])
    detection = Detection(ask=server.ask)
    server.open.set()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        hasty = tasks.create_task(_failed(detection))
        patient = tasks.create_task(detection.get())
    assert (hasty.result(), patient.result()) == (True, FOUND)


@pytest.mark.requirement("jira.one-flavour")
async def test_one_who_leaves_takes_nobody_along() -> None:
    """A cancelled caller's place is taken by the next."""
    server = Server([FOUND, FOUND])
    detection = Detection(ask=server.ask)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        leaving = tasks.create_task(detection.get())
        staying = tasks.create_task(detection.get())
        await asyncio.sleep(0)
        leaving.cancel()
        server.open.set()
    assert staying.result() is FOUND


@pytest.mark.requirement("jira.one-flavour")
async def test_one_who_waits_keeps_an_own_deadline() -> None:
    """Another's patience may be longer."""
    server = Server([FOUND])
    detection = Detection(ask=server.ask)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        patient = tasks.create_task(detection.get())
        await asyncio.sleep(0)
        with deadline_in(0.01):
            assert await _failed(detection)
        server.open.set()
    assert patient.result() is FOUND


async def _failed(detection: Detection) -> bool:
    try:
        await detection.get()
    except (NetworkError, UpstreamTimeout):
        return True
    return False

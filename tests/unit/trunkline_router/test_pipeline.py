"""The fold of stages around the relay."""

import pytest

from trunkline_router.model import Call, Caller, Era, Outcome, Request
from trunkline_router.pipeline import Next, Stage, compose

pytestmark = pytest.mark.anyio


class Silent:
    async def send(self, frame: bytes) -> None:
        """Drop it."""


def call() -> Call:
    request = Request(
        id=1, method="tools/call", params={}, era=Era.MODERN, channel=Silent(), received=0.0
    )
    caller = Caller(subject="me", scopes=frozenset())
    return Call(request=request, caller=caller, server="a", name="x", deadline=1.0)


async def test_stages_run_from_the_outside_in() -> None:
    """The first of the list sees the call first and the outcome last."""
    seen: list[str] = []

    def stage(name: str) -> Stage:
        async def run(call: Call, onward: Next) -> Outcome:
            seen.append(f"{name} in")
            outcome = await onward(call)
            seen.append(f"{name} out")
            return outcome

        return run

    async def relay(call: Call) -> Outcome:
        seen.append("relay")
        return Outcome(server=call.server)

    await compose([stage("a"), stage("b")], relay)(call())
    assert seen == ["a in", "b in", "relay", "b out", "a out"]


async def test_a_stage_may_answer_in_the_relays_place() -> None:
    """Nothing behind it runs."""

    async def answers(call: Call, onward: Next) -> Outcome:
        return Outcome(server="kept")

    async def relay(call: Call) -> Outcome:
        raise AssertionError

    assert (await compose([answers], relay)(call())).server == "kept"


async def test_without_stages_the_relay_is_all() -> None:
    """The fold of nothing is its end."""

    async def relay(call: Call) -> Outcome:
        return Outcome(server=call.name)

    assert (await compose([], relay)(call())).server == "x"

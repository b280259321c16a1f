"""`query_mcp` through the router: an agent with just the named tools, and what comes of it."""

import pytest

from tests.interaction.bridging import Run, bridged
from trunkline_bridge.query.runner import Answer

pytestmark = pytest.mark.anyio


async def echoing(run: Run) -> Answer:
    """Call one tool and say what it said."""
    await run.on_turn(1, "echo")
    said = await run.call("sample", "echo", text=run.query.prompt)
    await run.on_turn(2, "answer")
    return run.answer(str(said["said"]), turns=2)


@pytest.mark.requirement("bridge.query")
async def test_an_agent_uses_the_tools_it_is_given_and_its_answer_comes_back() -> None:
    """With turns, calls, servers and the time it took."""
    async with bridged(echoing) as here:
        answer = await here.query("Say this.")
    assert answer.pop("elapsed_ms") >= 0
    (call,) = answer.pop("tool_calls")
    assert (call["server"], call["tool"], call["ok"]) == ("sample", "echo", True)
    assert answer == {"text": "Say this.", "structured": None, "turns": 2, "servers": ["sample"]}

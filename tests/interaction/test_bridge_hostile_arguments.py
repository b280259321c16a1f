"""Any argument of the bridge's own tools: a typed answer, and a mesh that goes on working."""

from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.interaction.capability_mesh import CapabilityMesh, capability_mesh
from tests.interaction.hostile import GARBAGE, TEXTS
from tests.interaction.wire import failure
from trunkline_shared.errors import BY_CODE

pytestmark = pytest.mark.anyio

SERVERS = st.one_of(st.sampled_from(["sample", "bridge"]), GARBAGE)
TOOLS = st.one_of(st.sampled_from(["echo", "fail", "format_for_context"]), GARBAGE)
NAMES = st.one_of(st.sampled_from(["text", "max_chars"]), TEXTS)
CALLS = st.one_of(
    st.tuples(st.just("is_server_available"), st.fixed_dictionaries({"serverName": GARBAGE})),
    st.tuples(st.just("format_for_context"), st.fixed_dictionaries({"max_chars": GARBAGE})),
    st.tuples(
        st.just("list_capabilities"),
        st.fixed_dictionaries(
            {}, optional={"server": SERVERS, "query": GARBAGE, "include_schemas": GARBAGE}
        ),
    ),
    st.tuples(st.just("reset_breaker"), st.fixed_dictionaries({"server": SERVERS})),
    st.tuples(
        st.just("call_tool"),
        st.fixed_dictionaries(
            {"server": SERVERS, "tool": TOOLS},
            optional={
                "arguments": st.one_of(st.dictionaries(NAMES, GARBAGE, max_size=2), GARBAGE),
                "timeout_ms": GARBAGE,
                "idempotency_key": GARBAGE,
            },
        ),
    ),
)


def is_sendable(call: tuple[str, dict[str, Any]]) -> bool:
    """Say whether it is JSON that a client can send at all."""
    try:
        orjson.dumps(call)
    except TypeError:
        return False
    return True


@pytest.fixture
async def mesh() -> AsyncIterator[CapabilityMesh]:
    async with capability_mesh() as running:
        yield running


@pytest.mark.requirement("bridge.call-hostile")
@given(call=CALLS)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_any_arguments_get_a_typed_answer(
    mesh: CapabilityMesh, call: tuple[str, dict[str, Any]]
) -> None:
    """A code of the closed set, and never INTERNAL_ERROR, which is an exception of ours."""
    assume(is_sendable(call))
    name, arguments = call
    reply = await mesh.raw(name, None, **arguments)
    assert reply.status == 200, reply.body
    if reply.result.get("isError"):
        assert failure(reply)["error_code"] in {*BY_CODE} - {"INTERNAL_ERROR"}, reply.body

"""A body in an encoding that it is not in: the client's fault, and no error of ours."""

import logging

import pytest

from tests.interaction.mesh import routing
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import LEGACY_HEADERS, legacy, post

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("gateway.soak-fuzzing")
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
@pytest.mark.parametrize("path", ["/mcp", "/nothing"])
async def test_a_damaged_encoding_is_answered_and_not_logged(
    encoding: str, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    """4xx, and nothing in the log above what is of interest in debugging."""
    caplog.set_level(logging.DEBUG)
    body = legacy("tools/call", {"name": "act", "arguments": {"text": "x" * 5000}})
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        reply = await post(mesh.port, body, LEGACY_HEADERS | {"Content-Encoding": encoding}, path)
    assert 400 <= reply.status < 500
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []

"""Records of several processes on one standard output, which they have from their parent."""

import asyncio
import sys

import pytest

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

LINES, LONG = 100, 9999
TWO_WRITERS = f"""
import fcntl, os
from trunkline_router.adapters.audit_file import Sink
fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 4096)
child = os.fork()
sink, letter = Sink(None), b"a" if child else b"b"
for _ in range({LINES}):
    sink.write(letter * {LONG} + b"\\n")
if child:
    os.waitpid(child, 0)
"""


@pytest.mark.requirement("workers.pages")
async def test_lines_are_whole_even_where_they_do_not_fit_the_pipe() -> None:
    """Nobody begins a line while another's waits for room, so that no agent can break a record."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", TWO_WRITERS, stdout=asyncio.subprocess.PIPE
    )
    written, _ = await process.communicate()
    assert process.returncode == 0
    lines = sorted(written.split())
    assert lines == [b"a" * LONG] * LINES + [b"b" * LONG] * LINES

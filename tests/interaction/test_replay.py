"""A small share of the replay: agents who review one pull request are never answered stale."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READS = 168
_UNSET = ("-u", "GITHUB_TOKEN", "-u", "GH_TOKEN")
ROW = re.compile(
    r"(?m)^(without the cache|with the cache|with webhooks) +(\d+) +(\d+) +(\d+) .*?(\d+)$"
)


@pytest.mark.timeout(120)
@pytest.mark.requirement("cache.replay")
def test_agents_on_one_pull_request_share_what_they_read() -> None:
    """No answer is stale, with events or without; servers are asked for much less than is read."""
    done = subprocess.run(
        ["env", *_UNSET, sys.executable, "-m", "bench", "replay", "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    rows = {row[1]: tuple(map(int, row.groups()[1:])) for row in ROW.finditer(done.stdout)}
    assert "STALE" not in done.stdout
    reads, asked, stale = zip(*(row[1:] for row in rows.values()), strict=True)
    assert reads == (READS, READS, READS), done.stdout + done.stderr
    assert stale == (0, 0, 0)
    assert asked[0] == READS
    assert asked[1] < 0.75 * READS
    assert asked[2] < 0.65 * READS

"""The parts that measure scale run; what they find is their own business, on a quiet machine."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = {
    "idle_streams": ("memory of each, kB", "CPU of a call beside them"),
    "memory": ("a session of 2024-11-05 with its stream", "300 answers"),
    "scale": ("by connections", "tools on the first page"),
    "latency": ("relay, median", "hit, 99 %"),
}


@pytest.mark.parametrize("part", ROWS)
def test_a_part_prints_its_table(part: str) -> None:
    """In quick form, each within a minute on a busy machine."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", part, "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
    )
    assert done.stderr == ""
    for row in ROWS[part]:
        assert row in done.stdout
    assert "limits are met" in done.stdout

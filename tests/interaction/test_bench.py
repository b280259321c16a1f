"""The benchmark runs; what it measures is its own business, on a quiet machine."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_benchmark_prints_its_table() -> None:
    """A handler, a hop and the router, and the ratio that must hold."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--rounds", "1", "--requests", "80"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.stderr == ""
    for row in ("bare aiohttp handler", "bare aiohttp hop", "router, relayed and traced"):
        assert row in done.stdout
    assert "(at most 1.8)" in done.stdout


@pytest.mark.requirement("inline.fast")
def test_the_lines_of_a_large_pull_request_cost_little() -> None:
    """300 files with 20,000 changed lines: at most 300 ms of CPU, also on a busy machine."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.commentable_lines", "--rounds", "5"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "300 files, 21,600 changed lines" in done.stdout


@pytest.mark.requirement("gateway.sick-servers")
def test_the_cost_of_sick_servers_is_a_table() -> None:
    """Each operation with and without them, and the ratio that must hold."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.sick_servers", "--rounds", "1", "--requests", "40"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    for row in ("call ", "list ", "discover ", "initialize "):
        assert f"\n{row}" in done.stdout
    assert "each ratio at most 1.2" in done.stdout


@pytest.mark.requirement("cache.hit-cost")
def test_the_cost_of_a_hit_is_a_table() -> None:
    """Small and large answers, each beside a bare handler, and the ratio that must hold."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.hits", "--rounds", "1", "--requests", "80"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.stderr == ""
    for row in ("bare aiohttp handler", "router, hit", "router, hit, 1 MB"):
        assert f"\n{row} " in done.stdout
    assert "(at most 2.5)" in done.stdout

"""The benchmark runs; what it measures is its own business, on a quiet machine."""

import subprocess
import sys
from pathlib import Path

import orjson
import pytest

ROOT = Path(__file__).parents[2]


def measured(part: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """Measure a part in as few rounds as there may be."""
    return subprocess.run(
        [sys.executable, "-m", "bench", part, "--quick", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def test_the_benchmark_prints_its_table() -> None:
    """A handler, a hop and the router, and the ratio that must hold: else it fails, and says so."""
    done = measured("relay")
    assert done.stderr == ""
    for row in ("bare aiohttp handler", "bare aiohttp hop", "router, relayed and traced"):
        assert row in done.stdout
    assert "(at most 1.1 x)" in done.stdout
    missed = [line for line in done.stdout.splitlines() if line.startswith("MISSED: ")]
    assert done.returncode == (1 if missed else 0)
    assert f"\n{0 if missed else 1} of 1 limits are met\n" in done.stdout


def test_a_part_that_runs_alone_leaves_the_others_figures(tmp_path: Path) -> None:
    """The page, the charts and the file of figures keep what was measured before."""
    for part in ("conversions", "commentable_lines"):
        measured(part, "--results", str(tmp_path))
    figures = orjson.loads((tmp_path / "figures.json").read_bytes())
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert set(figures) == {"conversions", "commentable_lines"}
    assert "\n## conversions\n" in page
    assert "\n## commentable_lines\n" in page


@pytest.mark.requirement("inline.fast")
def test_the_lines_of_a_large_pull_request_cost_little() -> None:
    """300 files with 20,000 changed lines: at most 300 ms of CPU, also on a busy machine."""
    done = measured("commentable_lines")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "300 files, 21,600 changed lines" in done.stdout
    assert "(at most 300 ms of CPU)" in done.stdout


@pytest.mark.requirement("gateway.sick-servers")
def test_the_cost_of_sick_servers_is_a_table() -> None:
    """Each operation with and without them, and the ratio that must hold."""
    done = measured("sick_servers")
    for row in ("call ", "list ", "discover ", "initialize "):
        assert f"\n{row}" in done.stdout
    assert done.stdout.count("(at most 1.2 x)") >= 2 * len((
        "call",
        "list",
        "discover",
        "initialize",
    ))


@pytest.mark.requirement("cache.hit-cost")
def test_the_cost_of_a_hit_is_a_table() -> None:
    """Small and large answers, each beside a bare handler, and the ratio that must hold."""
    done = measured("hits")
    assert done.stderr == ""
    for row in ("bare aiohttp handler", "router, hit", "router, hit, 1 MB"):
        assert f"\n{row} " in done.stdout
    assert "(at most 2.2 x)" in done.stdout

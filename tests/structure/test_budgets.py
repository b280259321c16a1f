"""The marks that keep files small, suppressions explained and doubles out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = sorted(
    path
    for folder in ("shared", "services", "cli")
    for path in (ROOT / folder).rglob("*.py")
    if ".venv" not in path.parts
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
SUPPRESSION = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma: no cover)[^#\n]*")
REASON = re.compile(r"(?:noqa: [A-Z0-9, ]+ - \S|type: ignore\[[a-z-, ]+\]\s+# \S)")
SLEEP = re.compile(r"(?:asyncio|anyio)\.sleep\((?!0\))")
PACED = {
    "tests/interaction/balancer.py",
    "tests/interaction/guarding.py",
    "tests/interaction/looking.py",
}
"""What has a pace of its own: a look at replicas and at a start, a clock that is in a hurry."""
DOUBLES = re.compile(r"unittest\.mock|MagicMock|monkeypatch\.setattr|time\.sleep\(")


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCE, ids=name)
def test_a_source_file_fits_on_a_few_screens(path: Path) -> None:
    """250 lines: beyond that a file holds two things."""
    assert len(lines(path)) <= 250


@pytest.mark.parametrize("path", TESTS, ids=name)
def test_a_test_file_is_about_one_subject(path: Path) -> None:
    """500 lines."""
    assert len(lines(path)) <= 500


@pytest.mark.parametrize(("file", "most"), [("Makefile", 60)])
def test_an_operations_file_stays_readable(file: str, most: int) -> None:
    """A person reads it before running it."""
    assert len(lines(ROOT / file)) <= most


@pytest.mark.parametrize("path", SOURCE + TESTS, ids=name)
def test_each_suppression_carries_its_reason(path: Path) -> None:
    """On the same line, behind a dash or a second hash."""
    if path == Path(__file__):
        return
    for number, line in enumerate(lines(path), 1):
        if SUPPRESSION.search(line):
            assert REASON.search(line), f"{name(path)}:{number}: {line.strip()}"


@pytest.mark.parametrize("path", TESTS, ids=name)
def test_no_test_replaces_our_own_code(path: Path) -> None:
    """Stand-ins on sockets and clocks that stand, never mocks."""
    if path == Path(__file__):
        return
    assert not DOUBLES.search(path.read_text(encoding="utf-8"))


def test_no_module_has_a_name_that_says_nothing() -> None:
    """A reader guesses the file from the feature."""
    empty = {"utils", "helpers", "common", "misc", "manager", "base", "lib"}
    assert not [name(path) for path in SOURCE if path.stem in empty]


def test_decision_records_are_numbered_once_each() -> None:
    """0001, 0002, … without gap or duplicate."""
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs/adr").glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("path", TESTS, ids=name)
def test_a_test_waits_for_what_happens_and_not_for_a_time(path: Path) -> None:
    """Long proofs are paced by design: they are load, not tests."""
    if name(path) in PACED or "soak" in path.parts:
        return
    assert not SLEEP.search(path.read_text(encoding="utf-8"))

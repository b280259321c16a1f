"""services/Dockerfile: linted, readable, and built with whatever builder the engine has."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from release.containers import ROOT, containers

pytestmark = pytest.mark.requirement("shipping.images-dockerfile")

FILE = ROOT / "services" / "Dockerfile"
LINES = FILE.read_text("utf-8").splitlines()
STAGES = [line.split()[-1] for line in LINES if line.startswith("FROM ")]


def test_hadolint_finds_nothing() -> None:
    """With the shell commands of each RUN looked through as well."""
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, FILE], capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


def test_what_is_not_linted_has_its_reason() -> None:
    """As a sentence on the line above."""
    for before, line in pairwise(LINES):
        if line.startswith("# hadolint ignore="):
            assert re.match(r"# [A-Z].*\.$", before), line


def test_it_stays_readable() -> None:
    """A person reads it before building from it."""
    assert len(LINES) <= 85


def test_either_builder_builds_it() -> None:
    """No frontend is fetched, and nothing is asked for that only BuildKit can."""
    text = "\n".join(LINES)
    assert "# syntax" not in text
    assert not re.search(r"--(?:mount|link|parents|chmod|exclude|security|network)\b", text)
    assert "<<" not in text


def test_all_that_is_fetched_is_one_base() -> None:
    """Every stage begins from it or from another stage, and copies from stages only."""
    begun = {line.split()[1] for line in LINES if line.startswith("FROM ")}
    assert begun <= {"${PYTHON}", *STAGES}
    assert set(re.findall(r"--from=(\S+)", "\n".join(LINES))) <= set(STAGES)


def test_every_container_has_its_stage() -> None:
    """As make images asks for them."""
    assert {each.target for each in containers()} <= set(STAGES)


def test_stages_that_are_images_end_unprivileged() -> None:
    """The one change of user is in what all of them begin from."""
    assert [line for line in LINES if line.startswith("USER ")] == ["USER 10001:10001"]


def test_the_context_is_named_and_not_what_is_left_over() -> None:
    """Whatever else lies in a checkout, secrets among it, is never sent to the engine."""
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert ignored[0] == "*"
    assert {"**/.*", "**/__pycache__", "**/*.pyc"} <= set(ignored)

"""The container engine, by its command line."""

import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from trunkline_cli.environment import variables

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120


class EngineRefused(AssertionError):
    """The engine did not do what it was told; the text is what it said."""


def docker(
    *words: str, env: Mapping[str, str] | None = None, patience_s: float = PATIENCE_S
) -> str:
    """Return what `docker WORDS` prints. Raises EngineRefused."""
    done = subprocess.run(
        ["docker", *words],
        cwd=ROOT,
        env={**variables(), **(env or {})},
        check=False,
        capture_output=True,
        text=True,
        timeout=patience_s,
    )
    if done.returncode != 0:
        raise EngineRefused(f"docker {' '.join(words)}: {done.stderr[-2000:]}{done.stdout[-1000:]}")
    return done.stdout.strip()


@cache
def _lacking() -> str:
    """Return what is not there; nothing if all is."""
    try:
        docker("version")
        docker("compose", "version")
    except (EngineRefused, OSError, subprocess.TimeoutExpired) as error:
        return f"needs a container engine and Compose: {str(error).strip().splitlines()[0]}"
    return ""


def needed() -> None:
    """Without an engine, skip on a laptop and fail in CI."""
    reason = _lacking()
    if reason and variables().get("CI"):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)

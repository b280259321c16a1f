"""Prometheus and promtool as the machine has them: absent on a laptop, never in CI."""

import shutil

import pytest

from tests.redis_process import IN_CI


def program(name: str) -> str:
    """Return the path of a program; without it, skip on a laptop and fail in CI."""
    path = shutil.which(name)
    if path is None:
        reason = f"{name} is not installed (Debian, Ubuntu: apt install prometheus)"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    return path

"""The start of a program, as a container's first process."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from trunkline_cli.environment import variables

TOLD_MEANWHILE = "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n"
BEGUN = "from trunkline_shared.launch import launch; launch('slow')"


@pytest.mark.requirement("shipping.end-hurry")
def test_a_program_that_is_told_to_end_while_it_starts_ends(tmp_path: Path) -> None:
    """By its own hand: the first process of a container is not ended by the signal's default."""
    package = tmp_path / "slow"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "service.py").write_text(TOLD_MEANWHILE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", BEGUN], cwd=tmp_path, env=variables(), timeout=30, check=False
    )
    assert done.returncode == 128 + signal.SIGTERM

"""The Makefile's promises, with a stand-in for what it installs."""

import os
import pty
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from trunkline_cli.environment import variables

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a checkout whose installation is up to date and whose command says how it ran."""
    here = tmp_path / "trunkline"
    (here / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", here)
    command = here / ".venv" / "bin" / "trunkline"
    command.write_text('#!/bin/sh\necho "$@ in $TRUNKLINE_REPO_PATH"\n', encoding="utf-8")
    command.chmod(0o755)
    (here / ".venv" / ".run").touch()
    return here


def make(*words: str, cwd: Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run make as somebody in `cwd` would."""
    env = variables() | {"PWD": str(cwd)}
    for name in ("TRUNKLINE_REPO_PATH", "MAKEFLAGS", "MAKELEVEL"):
        env.pop(name, None)
    env["PATH"] = path or env["PATH"]
    return subprocess.run(
        ["make", *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def test_make_alone_says_what_there_is(installed: Path) -> None:
    """Each target of the documentation is listed with its purpose; nothing is started."""
    result = make(cwd=installed)
    for target in ("run", "demo", "test", "check", "bench"):
        assert f"make {target} " in result.stdout
    assert "in /" not in result.stdout


@pytest.mark.parametrize(("target", "words"), [("run", "run"), ("demo", "run --demo")])
def test_what_is_installed_starts_without_installing(
    installed: Path, target: str, words: str
) -> None:
    """The command runs for the checkout itself, and nothing else is printed."""
    assert make(target, cwd=installed).stdout == f"{words} in {installed}\n"


@pytest.mark.parametrize("how", ["-C", "-f"])
def test_the_checkout_served_is_the_one_where_make_was_called(
    installed: Path, tmp_path: Path, how: str
) -> None:
    """From another project, `make -C` and `make -f` serve that project."""
    project = tmp_path / "project"
    project.mkdir()
    where = str(installed / "Makefile") if how == "-f" else str(installed)
    assert f"run in {project}\n" in make(how, where, "run", cwd=project).stdout


def test_a_configured_checkout_wins(installed: Path) -> None:
    """TRUNKLINE_REPO_PATH is taken as it is."""
    result = make("run", "TRUNKLINE_REPO_PATH=/elsewhere", cwd=installed)
    assert result.stdout == "run in /elsewhere\n"


def test_without_uv_and_venv_the_message_says_what_to_install(
    installed: Path, tmp_path: Path
) -> None:
    """A Python without venv is named with its remedy, and no half of an installation is left."""
    (installed / ".venv" / ".run").unlink()
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("sh", "rm", "env", "touch", "make", "awk"):
        (commands / name).symlink_to(shutil.which(name) or name)
    (commands / "python3").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (commands / "python3").chmod(0o755)
    result = make("run", cwd=installed, path=str(commands))
    assert result.returncode != 0
    assert "uv could not be installed" in result.stderr
    assert "python3-venv" in result.stderr
    assert not (installed / ".tools").exists()


def test_ctrl_c_ends_make_without_a_complaint(installed: Path) -> None:
    """On a terminal, Ctrl-C reaches the command, and make adds no line of its own."""
    command = installed / ".venv" / "bin" / "trunkline"
    command.write_text(
        "#!/bin/sh\ntrap 'echo ended; exit 0' INT\necho ready\nwhile :; do sleep 0.05; done\n",
        encoding="utf-8",
    )
    child, terminal = pty.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it
        os.chdir(installed)
        os.execvp("make", ["make", "run"])  # noqa: S606 - the terminal's first process is make
    said = b""
    with os.fdopen(terminal, "r+b", buffering=0) as screen:
        while b"ready" not in said:
            said += screen.read(1024)
        screen.write(b"\x03")
        try:
            while more := screen.read(1024):
                said += more
        except OSError:
            # Linux says so when the other side of a terminal has gone.
            pass
    os.waitpid(child, 0)
    assert b"ended" in said
    # What make says of a command that failed; "*** wait: No child processes" is a race of its own.
    assert b"*** [" not in said
    assert b"Error" not in said

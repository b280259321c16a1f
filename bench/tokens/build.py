"""What the benchmark's CI says: a matrix build of which a test fails on two versions of Python."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from trunkline_shared.testing.github import ContinuousIntegration, Issue, Step, WorkflowRun

SYSTEMS = ("ubuntu-latest", "macos-latest", "windows-latest")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
BROKEN = {("ubuntu-latest", "3.13"), ("ubuntu-latest", "3.14"), ("macos-latest", "3.14")}
TESTS = 900
_STEPS = (
    ("Set up job", 3),
    ("Run actions/checkout@v5", 2),
    ("Run actions/setup-python@v6", 4),
    ("Run pip install -e .[test]", 21),
    ("Run pytest -v", 96),
    ("Post Run actions/setup-python@v6", 1),
    ("Post Run actions/checkout@v5", 1),
    ("Complete job", 0),
)
"""The steps of a job, and the seconds that each takes."""
_TESTING = "Run pytest -v"
_SET_UP = """\
Current runner version: '2.329.0'
##[group]Runner Image Provisioner
Hosted Compute Agent
Version: 20260910.422
Commit: 5f1d3a8c8bd1d0e7d4a9f3b1e5c2a7f6d8b9c0e1
##[endgroup]
##[group]Operating System
Ubuntu
24.04.3
LTS
##[endgroup]
##[group]Runner Image
Image: ubuntu-24.04
Version: 20261102.164.1
Included Software: https://github.com/actions/runner-images/blob/ubuntu24/20261102.164/images
##[endgroup]
##[group]GITHUB_TOKEN Permissions
Contents: read
Metadata: read
PullRequests: read
##[endgroup]
Secret source: Actions
Prepare workflow directory
Prepare all required actions
Getting action download info
Download action repository 'actions/checkout@v5' (SHA:08c6903cd8c0fde910a37f88322edcfb5dd907a8)
Download action repository 'actions/setup-python@v6' (SHA:e797f83bcb11b83ae66e0230d6156d7c80228e7c)
Complete job name: test"""
_CHECKOUT = """\
##[group]Run actions/checkout@v5
with:
  repository: acme/widgets
  token: ***
  ssh-strict: true
  persist-credentials: true
  fetch-depth: 1
##[endgroup]
Syncing repository: acme/widgets
##[group]Getting Git version info
Working directory is '/home/runner/work/widgets/widgets'
[command]/usr/bin/git version
git version 2.51.2
##[endgroup]
Deleting the contents of '/home/runner/work/widgets/widgets'
##[group]Initializing the repository
[command]/usr/bin/git init /home/runner/work/widgets/widgets
[command]/usr/bin/git remote add origin https://github.com/acme/widgets
##[endgroup]
##[group]Fetching the repository
[command]/usr/bin/git -c protocol.version=2 fetch --no-tags --prune --depth=1 origin
From https://github.com/acme/widgets
##[endgroup]
HEAD is now at 1f0c7e2 Lock what is tight"""
_SET_UP_PYTHON = """\
##[group]Run actions/setup-python@v6
with:
  python-version: {version}
  check-latest: false
  update-environment: true
##[endgroup]
##[group]Installed versions
Successfully set up CPython ({version})
##[endgroup]"""
_PACKAGES = (
    "attrs", "coverage", "hypothesis", "iniconfig", "markdown-it-py", "mdurl", "networkx", "numpy",
    "packaging", "pillow", "pluggy", "pygments", "pytest", "pytest-cov", "pyyaml", "rich", "scipy",
    "sortedcontainers", "sympy", "typing-extensions",
)  # fmt: skip
_FAILURE = """\
=================================== FAILURES ===================================
_________________________ test_a_screw_can_be_loosened _________________________

steel_screw = Screw(material=Material(name='steel', yield_strength=235.0), width_mm=4.0)

    def test_a_screw_can_be_loosened(steel_screw: Screw) -> None:
        \"\"\"Nothing is left of the torque.\"\"\"
        tight = tighten(steel_screw, LOCKED_ABOVE)
>       assert loosen(tight).torque == 0
E       AssertionError: assert NewtonMetre(12) == 0
E        +  where NewtonMetre(12) = Screw(material=Material(name='steel'), locked=True).torque

tests/test_screw.py:19: AssertionError
=========================== short test summary info ============================
FAILED tests/test_screw.py::test_a_screw_can_be_loosened - AssertionError: assert NewtonMetre(12)
================== 1 failed, {passed} passed in 93.71s (0:01:33) ==================
##[error]Process completed with exit code 1."""
_POST = """\
Post job cleanup.
[command]/usr/bin/git version
git version 2.51.2
Temporarily overriding HOME='/home/runner/work/_temp' before making global git config changes
[command]/usr/bin/git config --local --name-only --get-regexp core\\.sshCommand
Cleaning up orphan processes"""


def build(ci: ContinuousIntegration, pull: Issue, at: datetime) -> WorkflowRun:
    """Run the workflow on a pull request's head; returns the run: 14 jobs, of which 3 fail."""
    assert pull.pull is not None
    head, branch = pull.pull.head_sha, pull.pull.head_ref
    ci.commits[head] = at
    docs = ci.add_run(
        head,
        workflow="docs.yml",
        branch=branch,
        actor=pull.author,
        pulls=[pull.number],
        at=at,
        jobs=False,
    )
    ci.add_job(docs, "pages", steps=_steps(at, failed=False))
    docs.finish("success", at + timedelta(minutes=1))
    run = ci.add_run(
        head,
        conclusion="failure",
        branch=branch,
        actor=pull.author,
        pulls=[pull.number],
        at=at,
        jobs=False,
    )
    for name in ("lint", "types"):
        ci.add_job(run, name, steps=_steps(at, failed=False))
    for system in SYSTEMS:
        for version in VERSIONS:
            failed = (system, version) in BROKEN
            ci.add_job(
                run,
                f"test ({system}, {version})",
                conclusion="failure" if failed else "success",
                steps=_steps(at, failed=failed),
                labels=(system,),
                log=_log(version, at) if failed else None,
            )
    run.finish("failure", at + timedelta(minutes=3))
    ci.add_check(head, "codecov/patch", title="98.1 % of the diff covered", at=at)
    ci.add_status(head, "benches", "success", description="5 of 5 benches pass", at=at)
    return run


def _steps(at: datetime, *, failed: bool) -> list[Step]:
    steps = []
    for name, seconds in _STEPS:
        conclusion = "failure" if failed and name == _TESTING else "success"
        ended = at + timedelta(seconds=seconds)
        steps.append(Step(name=name, conclusion=conclusion, started_at=at, completed_at=ended))
        at = ended
    return steps


def _log(version: str, at: datetime) -> bytes:
    """Return a job's log as the service keeps it: each line behind its time."""
    stamped = []
    for (_, seconds), text in zip(_STEPS, _texts(version), strict=True):
        lines = text.splitlines()
        for number, line in enumerate(lines):
            moment = at + timedelta(seconds=seconds * number / len(lines))
            stamped.append(f"{moment:%Y-%m-%dT%H:%M:%S.%f}0Z {line}\n")
        at += timedelta(seconds=seconds)
    return ("\ufeff" + "".join(stamped)).encode()


def _texts(version: str) -> Iterator[str]:
    yield _SET_UP
    yield _CHECKOUT
    yield _SET_UP_PYTHON.format(version=version)
    yield "\n".join(_installing(version))
    yield "\n".join(_testing(version))
    yield "Post job cleanup."
    yield _POST
    yield "Evaluate and set job outputs"


def _installing(version: str) -> Iterator[str]:
    yield from ("##[group]Run pip install -e .[test]", "pip install -e .[test]")
    yield from ("shell: /usr/bin/bash -e {0}", "##[endgroup]")
    tag = "cp" + version.replace(".", "")
    for name in _PACKAGES:
        wheel = f"{name.replace('-', '_')}-2.1.0-{tag}-{tag}-manylinux_2_28_x86_64.whl"
        yield f"Collecting {name}>=2 (from widgets==2.4.0.dev0)"
        yield f"  Downloading {wheel} (312 kB)"
    yield f"Installing collected packages: {', '.join(_PACKAGES)}"
    yield f"Successfully installed {' '.join(f'{name}-2.1.0' for name in _PACKAGES)}"


def _testing(version: str) -> Iterator[str]:
    yield from ("##[group]Run pytest -v", "pytest -v", "shell: /usr/bin/bash -e {0}")
    yield "##[endgroup]"
    yield "============================= test session starts =============================="
    yield f"platform linux -- Python {version}.0, pytest-9.0.1, pluggy-1.6.0"
    yield from ("rootdir: /home/runner/work/widgets/widgets", f"collected {TESTS} items", "")
    modules = ("bench", "clamp", "gauge", "lever", "loads", "screw", "spring", "units", "wear")
    for number in range(TESTS):
        of, share = modules[number * len(modules) // TESTS], 100 * (number + 1) // TESTS
        failed = of == "screw" and number % 100 == 42  # noqa: PLR2004 - one test of the hundred
        name = "test_a_screw_can_be_loosened" if failed else f"test_{of}_carries_load[{number}-kg]"
        said = "FAILED" if failed else "PASSED"
        yield f"tests/test_{of}.py::{name} {said} [{share:3}%]"
    yield ""
    yield _FAILURE.format(passed=TESTS - 1)

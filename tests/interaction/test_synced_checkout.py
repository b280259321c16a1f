"""A checkout is kept like its remote: cloned, followed, and there still when the remote is gone."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.interaction.checkout_client import checkout_client
from tests.interaction.git_host import GitHost, git_host
from tests.standing_clock import StandingClock
from trunkline_branch_context.sync.keeping import Keeper, Marks, keep
from trunkline_branch_context.sync.mirror import Mirror
from trunkline_branch_context.sync.remote import token_of
from trunkline_branch_context.sync.settings import SyncSettings
from trunkline_shared.errors import NotFound, TrunklineError
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.testing.git_repository import GitRepository

pytestmark = pytest.mark.anyio
PASSWORD = "ghs_made-up-and-secret"
KEPT = pytest.mark.requirement("shipping.k8s-checkout")
LOST = pytest.mark.requirement("shipping.k8s-checkout-remote-gone")


@pytest.fixture(name="remote")
def the_remote(tmp_path: Path) -> GitRepository:
    (tmp_path / "remote").mkdir()
    repository = GitRepository.at(tmp_path / "remote")
    repository.write("README.md", "first\n")
    repository.commit("with a file")
    repository.branch("feature/PROJ-7-login")
    return repository


@pytest.fixture(name="host")
async def the_host(remote: GitRepository) -> AsyncIterator[GitHost]:
    async with asyncio.timeout(30), git_host(remote) as host:
        yield host


def mirror_of(host: GitHost, tmp_path: Path, token: str | None = None, branch: str = "") -> Mirror:
    given = {"repo_path": tmp_path / "checkout/repository", "sync_url": host.url}
    settings = load(SyncSettings, given | {"sync_branch": branch})
    known = {} if token is None else {"TRUNKLINE_SYNC_TOKEN": token}
    return Mirror(settings=settings, token=token_of(settings, known))


def keeper_of(mirror: Mirror, clock: StandingClock) -> Keeper:
    marks = Marks(folder=mirror.settings.repo_path.parent)
    return Keeper(mirror=mirror, marks=marks, clock=clock, every_s=60)


def checkout_of(mirror: Mirror, remote: GitRepository) -> GitRepository:
    return replace(remote, path=mirror.settings.repo_path)


def everything_below(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@KEPT
async def test_a_clone_has_every_branch_and_the_default_one_checked_out(
    host: GitHost, remote: GitRepository, tmp_path: Path
) -> None:
    """What a server that reads local branches needs."""
    mirror = mirror_of(host, tmp_path)
    sha = await mirror.update()
    assert sha == remote.git("rev-parse", "main")
    checkout = checkout_of(mirror, remote)
    heads = checkout.git("for-each-ref", "--format=%(refname:short)", "refs/heads").splitlines()
    assert heads == ["feature/PROJ-7-login", "main"]
    assert checkout.git("status", "--porcelain", "--branch") == "## main...origin/main"
    assert (checkout.path / "README.md").read_text() == "first\n"
    async with checkout_client(checkout) as client:
        assert (await client.ask("get_current_branch"))["branch"] == "main"


@KEPT
async def test_what_happens_at_the_remote_happens_to_the_checkout(
    host: GitHost, remote: GitRepository, tmp_path: Path
) -> None:
    """New commits, a rewritten branch, a new one, a deleted one, another default branch."""
    mirror = mirror_of(host, tmp_path)
    await mirror.update()
    checkout = checkout_of(mirror, remote)
    remote.git("checkout", "--quiet", "--orphan", "trunk")
    remote.write("README.md", "rewritten\n")
    rewritten = remote.commit("another history")
    remote.git("update-ref", "refs/heads/feature/PROJ-7-login", rewritten)
    remote.git("branch", "-D", "main")
    assert await mirror.update() == rewritten
    assert checkout.git("symbolic-ref", "--short", "HEAD") == "trunk"
    heads = checkout.git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads")
    assert heads == f"feature/PROJ-7-login {rewritten}\ntrunk {rewritten}"
    assert (checkout.path / "README.md").read_text() == "rewritten\n"


@KEPT
async def test_a_branch_may_be_chosen(host: GitHost, remote: GitRepository, tmp_path: Path) -> None:
    """One that the remote lacks is named, with the variable."""
    mirror = mirror_of(host, tmp_path, branch="feature/PROJ-7-login")
    await mirror.update()
    current = checkout_of(mirror, remote).git("symbolic-ref", "--short", "HEAD")
    assert current == "feature/PROJ-7-login"
    with pytest.raises(NotFound, match="gone") as failure:
        await mirror_of(host, tmp_path, branch="gone").update()
    assert "TRUNKLINE_SYNC_BRANCH" in str(failure.value.hint)


@KEPT
async def test_a_remote_without_a_commit_is_named_as_such(tmp_path: Path) -> None:
    """Nothing is left behind that would be taken for a checkout."""
    async with asyncio.timeout(20), git_host(GitRepository.at(tmp_path, commits=0)) as host:
        mirror = mirror_of(host, tmp_path)
        with pytest.raises(NotFound, match="default"):
            await mirror.update()
        assert not mirror.settings.repo_path.exists()


@KEPT
async def test_the_token_opens_the_remote_and_is_written_nowhere(
    remote: GitRepository, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not into the checkout's configuration, not into the log, also when it is refused."""
    caplog.set_level(logging.DEBUG)
    async with asyncio.timeout(30), git_host(remote, PASSWORD) as host:
        for wrong in (None, "ghs_wrong-but-secret-too"):
            with pytest.raises(TrunklineError):
                await mirror_of(host, tmp_path, wrong).update()
        assert host.refused >= 2
        mirror = mirror_of(host, tmp_path, PASSWORD)
        await mirror.update()
    for secret in (PASSWORD, "ghs_wrong-but-secret-too"):
        assert secret not in caplog.text
        assert secret.encode() not in everything_below(tmp_path)


@KEPT
def test_the_mesh_s_token_is_for_github_alone(tmp_path: Path) -> None:
    """Another host is shown the token that was made for it, or none."""
    known = {"GITHUB_TOKEN": "of-github"}
    for url, api, shown in (
        ("https://github.com/a/b", "https://api.github.com", "of-github"),
        ("https://ghe.example/a/b", "https://ghe.example/api/v3", "of-github"),
        ("https://git.example/a/b", "https://api.github.com", None),
        ("https://github.com.evil.example/a/b", "https://api.github.com", None),
    ):
        settings = load(SyncSettings, {"sync_url": url, "github_api_url": api})
        assert token_of(settings, known)() == shown
        assert token_of(settings, known | {"TRUNKLINE_SYNC_TOKEN": "own"})() == "own"


@LOST
async def test_while_the_remote_is_gone_the_last_checkout_is_served(
    host: GitHost, remote: GitRepository, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning for the whole outage, one line at its end; what happened meanwhile comes then."""
    caplog.set_level(logging.INFO, logger="trunkline_branch_context.sync")
    mirror = mirror_of(host, tmp_path)
    keeper = keeper_of(mirror, StandingClock())
    folder = mirror.settings.repo_path.parent
    await keeper.once()
    assert (folder / "synced").exists()
    host.is_up = False
    newer = remote.commit("while nobody could fetch")
    for _ in range(3):
        await keeper.once()
    async with checkout_client(checkout_of(mirror, remote)) as client:
        assert (await client.ask("get_current_branch"))["branch"] == "main"
    host.is_up = True
    await keeper.once()
    assert checkout_of(mirror, remote).git("rev-parse", "HEAD") == newer
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


@LOST
async def test_a_pod_whose_remote_was_never_there_is_not_ready(
    host: GitHost, tmp_path: Path
) -> None:
    """It is alive, goes on trying, and becomes ready with the first fetch."""
    host.is_up = False
    mirror = mirror_of(host, tmp_path)
    keeper = keeper_of(mirror, StandingClock())
    folder = mirror.settings.repo_path.parent
    keeper.marks.alive()
    await keeper.once()
    assert (folder / "alive").exists()
    assert not (folder / "synced").exists()
    host.is_up = True
    await keeper.once()
    assert (folder / "synced").exists()


@KEPT
async def test_what_a_killed_git_left_behind_is_mended(
    host: GitHost, remote: GitRepository, tmp_path: Path
) -> None:
    """Locks go; a checkout that cannot be read, or of another remote, is cloned anew."""
    mirror = mirror_of(host, tmp_path)
    await mirror.update()
    path = mirror.settings.repo_path
    for lock in ("index.lock", "refs/heads/main.lock", "packed-refs.lock"):
        (path / ".git" / lock).touch()
    newer = remote.commit("a newer one")
    with pytest.raises(TrunklineError):
        await mirror.update()
    await mirror.mend()
    assert await mirror.update() == newer
    for spoil in (
        lambda: (path / ".git/HEAD").write_bytes(b"\0" * 40),
        lambda: checkout_of(mirror, remote).git("config", "remote.origin.url", "https://else/x"),
    ):
        spoil()
        await mirror.mend()
        assert not path.exists()
        assert await mirror.update() == newer


@LOST
async def test_a_checkout_that_had_to_go_is_ready_when_it_is_back(
    host: GitHost, tmp_path: Path
) -> None:
    """Until then a pod that starts anew has nothing to serve."""
    mirror = mirror_of(host, tmp_path)
    clock = StandingClock()
    keeper = keeper_of(mirror, clock)
    folder = mirror.settings.repo_path.parent
    await keeper.once()
    (mirror.settings.repo_path / ".git/HEAD").write_bytes(b"\0" * 40)
    host.is_up = False
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(keeper.run())
        await clock.pass_by(0, sleepers=1)
        assert not (folder / "synced").exists()
        running.cancel()


@KEPT
@pytest.mark.parametrize("is_checkout", [True, False])
async def test_somebody_s_own_folder_is_left_alone(
    is_checkout: bool,  # noqa: FBT001 - a case
    host: GitHost,
    tmp_path: Path,
) -> None:
    """With its uncommitted work; the variable that names it is told."""
    mirror = mirror_of(host, tmp_path)
    folder = mirror.settings.repo_path.parent
    folder.mkdir()
    if is_checkout:
        GitRepository.at(folder).path.rename(mirror.settings.repo_path)
    mirror.settings.repo_path.mkdir(exist_ok=True)
    (mirror.settings.repo_path / "work.txt").write_text("of a week")
    with pytest.raises(ConfigurationError, match="TRUNKLINE_REPO_PATH"):
        await keeper_of(mirror, StandingClock()).run()
    assert (mirror.settings.repo_path / "work.txt").read_text() == "of a week"


@KEPT
async def test_without_a_repository_the_pod_is_ready_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its tools answer NO_REPOSITORY; the log names the variable."""
    settings = load(SyncSettings, {"repo_path": tmp_path / "checkout/repository"})
    clock = StandingClock()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(keep(settings, clock))
        await clock.pass_by(60, sleepers=1)
        await clock.pass_by(0, sleepers=1)
        running.cancel()
    assert {path.name for path in (tmp_path / "checkout").iterdir()} == {"alive", "synced"}
    assert "TRUNKLINE_SYNC_URL" in caplog.text


@KEPT
async def test_the_program_ends_when_it_is_told_to(
    host: GitHost, remote: GitRepository, tmp_path: Path
) -> None:
    """`python -m trunkline_branch_context.sync`, as the container runs it."""
    folder = tmp_path / "checkout"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "trunkline_branch_context.sync",
        env={
            "PATH": os.defpath,
            "TRUNKLINE_SYNC_URL": host.url,
            "TRUNKLINE_REPO_PATH": str(folder / "repository"),
        },
        stderr=asyncio.subprocess.PIPE,
    )
    while not (folder / "synced").exists():
        assert process.returncode is None
        await asyncio.wait([asyncio.ensure_future(process.wait())], timeout=0.05)
    assert (folder / "repository/README.md").read_text() == "first\n"
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0


@KEPT
@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:octocat/hello-world.git",
        "http://github.com/octocat/hello-world",
        "https://user:password@github.com/octocat/hello-world",
        "file:///etc",
        "ext::sh -c id",
    ],
)
def test_only_what_is_fetched_safely_is_fetched(url: str) -> None:
    """Over HTTPS, with the token in a variable of its own."""
    with pytest.raises(Exception, match="TRUNKLINE_SYNC_URL"):
        load(SyncSettings, {"sync_url": url})

"""One checkout made like its remote: every branch, and one of them checked out."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from trunkline_branch_context.git import Git
from trunkline_branch_context.heads import LOCAL, REMOTE, reference_sha
from trunkline_branch_context.sync.remote import Token, git_environment
from trunkline_branch_context.sync.settings import SyncSettings
from trunkline_shared.errors import NotFound, TrunklineError
from trunkline_shared.settings import ConfigurationError

WITHIN_S = 1200.0
_ORIGIN = f"{REMOTE}origin/"
# Only what was made here is overwritten: TRUNKLINE_REPO_PATH may name somebody's working copy.
_MADE_HERE = ".git/made-by-trunkline"
_REFSPECS = (f"+{LOCAL}*:{_ORIGIN}*", f"+{LOCAL}*:{LOCAL}*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirror:
    """Writes the checkout; nobody else does. Readers see the old state, or the new one."""

    settings: SyncSettings
    token: Token

    async def update(self) -> str:
        """Fetch, at first into a folder beside it; returns the commit that is checked out.

        Raises TrunklineError, or OSError when the disk will not have it.
        """
        path = self.settings.repo_path
        if (path / ".git").is_dir():
            return await self._refreshed(path)
        partial = path.with_name(f"{path.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        git = self._git(partial)
        await git.run("init", "--quiet")
        (partial / _MADE_HERE).touch()
        await git.run("remote", "add", "origin", self.settings.sync_url)
        sha = await self._refreshed(partial)
        partial.rename(path)
        return sha

    async def mend(self) -> None:
        """Take away what a killed git has left: its locks, or a checkout that cannot be read.

        So goes a checkout of another remote than the configured one. Raises ConfigurationError
        for a folder that was not made here.
        """
        path = self.settings.repo_path
        if path.exists() and not (path / _MADE_HERE).exists():
            raise ConfigurationError(
                f"TRUNKLINE_REPO_PATH={path} is there and was not made by this program, which "
                "would overwrite it: name a folder that does not exist"
            )
        for lock in list((path / ".git").rglob("*.lock")):
            lock.unlink(missing_ok=True)
        if path.exists() and not await self._is_sound(path):
            shutil.rmtree(path)

    async def _is_sound(self, path: Path) -> bool:
        git = self._git(path)
        try:
            await git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
            url = await git.run("config", "--get", "remote.origin.url")
        except TrunklineError:
            return False
        return url.text.strip() == self.settings.sync_url

    async def _refreshed(self, path: Path) -> str:
        git = self._git(path)
        await git.run(
            "fetch", "--quiet", "--prune", "--force", "--update-head-ok", "--no-tags", "origin",
            *_REFSPECS, within_s=WITHIN_S,
        )  # fmt: skip
        branch = self.settings.sync_branch or await self._default(git)
        start = f"{_ORIGIN}{branch}"
        sha = await reference_sha(git, start)
        if sha is None:
            raise NotFound(
                f"the remote has no branch {branch!r}",
                hint="Set TRUNKLINE_SYNC_BRANCH to one that it has.",
            )
        await git.run("checkout", "--quiet", "--force", "-B", branch, start, within_s=WITHIN_S)
        return sha

    async def _default(self, git: Git) -> str:
        listed = await git.run("ls-remote", "--symref", "origin", "HEAD", within_s=60)
        for line in listed.text.splitlines():
            reference, _, name = line.removeprefix("ref: ").partition("\t")
            if line.startswith("ref: ") and name == "HEAD":
                return reference.removeprefix(LOCAL)
        raise NotFound(
            "the remote does not say which of its branches is the default one, or has none",
            hint="Set TRUNKLINE_SYNC_BRANCH.",
        )

    def _git(self, directory: Path) -> Git:
        return Git(
            directory=directory,
            environment=git_environment(self.settings, self.token()),
            shown=self.settings.sync_url,
            timeout_s=WITHIN_S,
        )

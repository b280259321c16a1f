"""The tools that read what a pull request changes."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_issues.cursor import Cursor
from trunkline_issues.diff_fetching import DiffReading
from trunkline_issues.diff_files import Wanted
from trunkline_issues.diff_models import ChangedFile, ChangedFiles, Diff
from trunkline_issues.diff_result import DiffRead, Format, result
from trunkline_issues.pull_finding import Asked, Branch, find
from trunkline_issues.pull_listing import Slice, files
from trunkline_issues.pull_tools import DEFAULTS, DIFF, NEEDS
from trunkline_issues.tags import BASE
from trunkline_shared.arguments import OptionalNumber, PerPage
from trunkline_shared.clock import Clock
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.github.arguments import PullNumber
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.pulls import get_pull
from trunkline_shared.listing import Fields, choose
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool

_LEAST, _MOST = 1_024, 4 * 1024 * 1024
Size = Annotated[int, Field(ge=_LEAST, description="Bytes of diff")]
Offset = Annotated[OptionalNumber, Field(description="next_offset of the page before")]


def _policy(timeout_s: float) -> Policy:
    return Policy(
        reads=Reads(ttl_s=10, stale_s=600, tags=(DIFF, BASE)),
        needs=NEEDS,
        defaults=DEFAULTS,
        enforces=("pr_number", "branch"),
        timeout_s=timeout_s,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffTools:
    """Diffs of pull requests, and lists of the files that they change."""

    github: GitHub
    clock: Clock

    @tool("Get pull request diff", READ, _policy(120))
    async def github_get_pr_diff(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber | None = None,
        branch: Branch = "",
        max_size: Size = 102_400,
        paths: Annotated[
            tuple[str, ...], Field(description="Only these files or folders", max_length=300)
        ] = (),
        offset: Offset = 0,
        format: Format = "diff",  # noqa: A002 - the name that agents know
        owner: str = "",
        repo: str = "",
    ) -> Reusable[Diff]:
        """Read a pull request's diff, cut between files, hunks or lines if it is too large.

        Returns diff, files (included or not) and next_offset for the rest.
        """
        asked = Asked(owner=owner, repo=repo, pr_number=pr_number, branch=branch)
        found = await find(self.github, asked)
        wanted = Wanted(paths=paths, offset=offset, max_size=min(max_size, _MOST))
        if format != "diff":
            wanted = Wanted(paths=paths)
        number, repository = found.pull.number, found.repository
        reading = DiffReading(
            github=self.github, clock=self.clock, repository=repository, number=number
        )
        whole, source = await reading.read(wanted)
        after = await self.github.fetch(get_pull(repository, number))
        read = DiffRead(found=found, after=after, wanted=wanted, files=whole, source=source)
        reuse = Reuse(no_store=True) if read.moved else found.reuse
        return Reusable(result(read, format), reuse)

    @tool("List pull request files", READ, _policy(30))
    async def list_pr_files(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber | None = None,
        branch: Branch = "",
        with_patch: bool = False,
        limit: PerPage = 100,
        cursor: Cursor = "",
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Reusable[ChangedFiles]:
        """List the files that a pull request changes."""
        choose((), fields, ChangedFile)
        asked = Asked(owner=owner, repo=repo, pr_number=pr_number, branch=branch)
        found = await find(self.github, asked)
        part = Slice(limit=limit, cursor=cursor, fields=fields)
        return Reusable(await files(self.github, found, part, with_patch=with_patch), found.reuse)

"""The tools that say how CI stands, and that wait for it."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_ci_status.commit_target import Aim
from trunkline_ci_status.observing import Observation, has_moved, observe
from trunkline_ci_status.reporting import StatusFilter, report
from trunkline_ci_status.status_models import CiStatus, Waited
from trunkline_ci_status.tags import OF_HEAD_CI, found_at
from trunkline_ci_status.waiting import LONGEST_S, Wait, Waiting
from trunkline_shared.arguments import Number
from trunkline_shared.clock import Clock
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.arguments import PullNumber
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.commit_ci import ALL_SYSTEMS, System
from trunkline_shared.github.defaults import OF_PULL_REQUEST
from trunkline_shared.github.targets import to_read
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool

RUNNING_TTL_S, ENDED_TTL_S = 10, 60
NEEDS = ("owner", "repo", "pr_number|ref")
DEFAULTS = {
    **{name: OF_PULL_REQUEST[name] for name in ("owner", "repo", "pr_number")},
    "ref": OF_PULL_REQUEST["branch"],
}

Ref = Annotated[
    str, Field(max_length=500, description="Commit SHA, branch or tag, instead of pr_number")
]
RequiredOnly = Annotated[bool, Field(description="Judge only what the base branch requires")]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusTools:
    """The state of CI at a commit."""

    github: GitHub
    clock: Clock

    @tool(
        "Get CI status",
        READ,
        Policy(
            reads=Reads(ttl_s=RUNNING_TTL_S, stale_s=600, tags=OF_HEAD_CI),
            needs=NEEDS,
            defaults=DEFAULTS,
            context_needs=("pr_number",),
            enforces=("pr_number",),
        ),
    )
    async def get_ci_status(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber | None = None,
        ref: Ref = "",
        status: Annotated[
            StatusFilter | None, Field(description="List only these; the summary counts all")
        ] = None,
        include: tuple[System, ...] = (),
        required_only: RequiredOnly = False,
        owner: str = "",
        repo: str = "",
    ) -> Reusable[CiStatus]:
        """Tell whether CI passes on a pull request or commit.

        summary.verdict (failing, pending, unknown, passing, none) judges workflow runs, check
        runs and commit statuses together, without superseded ones. Lists runs, checks and
        statuses, failures first; include narrows to some of them.
        """
        repository = await to_read(self.github, owner, repo)
        aim = Aim(repository=repository, pr_number=pr_number, ref=_checked(ref))
        what = Observation(
            aim=aim,
            include=frozenset(include) or ALL_SYSTEMS,
            required_only=required_only,
        )
        judged = await observe(self.github, self.clock, what)
        moved = await has_moved(self.github, aim, judged.target)
        found = report(judged, status).model_copy(update={"head_moved": moved})
        ended = judged.is_over and not moved
        reuse = Reuse(
            ttl_s=ENDED_TTL_S if ended else RUNNING_TTL_S,
            tags=found_at(repository, found.head_sha, judged.target.branch),
        )
        return Reusable(found, reuse)

    @tool(
        "Wait for CI",
        READ,
        Policy(
            needs=NEEDS,
            defaults=DEFAULTS,
            context_needs=("pr_number",),
            enforces=("pr_number",),
            timeout_s=LONGEST_S + 30,
            waits=True,
        ),
    )
    async def wait_for_ci(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber | None = None,
        ref: Ref = "",
        timeout_s: Annotated[Number, Field(le=LONGEST_S)] = 300,
        poll_s: Annotated[Number, Field(ge=2, le=300)] = 10,
        fail_fast: Annotated[bool, Field(description="End at the first failure")] = True,
        required_only: RequiredOnly = False,
        owner: str = "",
        repo: str = "",
    ) -> Waited:
        """Wait until CI passes or fails; reports progress.

        Returns what get_ci_status does, and timed_out: true when the time is over first. Follows
        a pull request's new commits (head_moved).
        """
        repository = await to_read(self.github, owner, repo)
        aim = Aim(repository=repository, pr_number=pr_number, ref=_checked(ref))
        wait = Wait(
            what=Observation(aim=aim, required_only=required_only),
            timeout_s=timeout_s,
            poll_s=poll_s,
            fail_fast=fail_fast,
        )
        return await Waiting(github=self.github, clock=self.clock, wait=wait).run()


def _checked(ref: str) -> str:
    if ref and not ref.strip():
        raise InvalidInput(
            "ref must not be blank.",
            hint="Pass a commit SHA, branch or tag, or leave it out.",
            details={"field_errors": [{"field": "ref", "problem": "is blank"}]},
        )
    return ref.strip()

"""Reading the state of CI once: the commit, its three systems, what is required, what moved."""

from dataclasses import dataclass

from trunkline_ci_status.commit_target import Aim, Target, find_target
from trunkline_ci_status.reporting import Judged
from trunkline_shared.clock import Clock
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.commit_ci import ALL_SYSTEMS, System, is_young, read_commit_ci
from trunkline_shared.github.pulls import get_pull
from trunkline_shared.github.required_checks import required_checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What is looked at: whose commit, which systems, all checks or the required ones."""

    aim: Aim
    include: frozenset[System] = ALL_SYSTEMS
    required_only: bool = False


async def observe(github: GitHub, clock: Clock, what: Observation) -> Judged:
    """Read the present state. Raises a TrunklineError."""
    repository = what.aim.repository
    target = await find_target(github, what.aim)
    ci = await read_commit_ci(github, repository, target.head_sha, what.include)
    required, known = None, True
    if what.required_only:
        found = await required_checks(github, repository, target.branch)
        required, known = (found.contexts if found.known else None), found.known
    young = ci.verdict(required) == "none" and await is_young(
        github, repository, target.head_sha, clock, target.opened_at
    )
    return Judged(
        ci=ci,
        target=target,
        include=what.include,
        required=required,
        required_known=known,
        young=young,
    )


async def has_moved(github: GitHub, aim: Aim, target: Target) -> bool:
    """Whether the pull request has another head by now; a commit of its own never moves."""
    if not target.follows_head or target.pr_number is None:
        return False
    pull = await github.fetch(get_pull(aim.repository, target.pr_number))
    return pull.head.sha != target.head_sha

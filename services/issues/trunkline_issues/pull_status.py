"""The state of a pull request: mergeable or not, what reviewers and checks say."""

from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from trunkline_issues.pull_finding import Found
from trunkline_issues.pull_results import Check, DetailsAndStatus, PullStatus, Said
from trunkline_issues.pull_shapes import details
from trunkline_issues.review_states import decision, latest
from trunkline_shared.clock import Clock
from trunkline_shared.errors import (
    InvalidInput,
    NetworkError,
    NotFound,
    PermissionDenied,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.github.check_models import CheckRun, CommitStatus
from trunkline_shared.github.checks import list_check_runs, list_statuses
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.latest_checks import latest as latest_checks
from trunkline_shared.github.pull_models import PullRequest, Review
from trunkline_shared.github.pulls import get_pull, list_reviews
from trunkline_shared.github.tags import of_commit
from trunkline_shared.github.workflow_runs import RunFilter, list_runs
from trunkline_shared.reuse import Reuse
from trunkline_shared.together import together
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.page import Collected

T = TypeVar("T")

_WAITS_S = (1.0, 2.0, 3.0)
_MOST = 1_000
_LASTING = (InvalidInput, NotFound, PermissionDenied, Unsupported)
_LEAVES_THE_REST = (*_LASTING, NetworkError, UpstreamTimeout, UpstreamUnavailable)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """The pull request as it was read last, and what was read beside it."""

    pull: PullRequest
    reviews: Collected[Review]
    checks: Collected[CheckRun]
    statuses: Collected[CommitStatus]
    unavailable: dict[str, str]

    def said(self) -> Said:
        states = latest(self.reviews.items)
        lists = (self.reviews, self.checks, self.statuses)
        return Said(
            reviews=states,
            checks=[*map(_of_check, self.checks.items), *map(_of_status, self.statuses.items)],
            review_decision=None if "reviews" in self.unavailable else decision(self.pull, states),
            truncated=any(one.truncated for one in lists),
            unavailable=self.unavailable,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReading:
    """Reads the state of one pull request that was found.

    `unavailable` says why parts could not be read, `passing` which may be there the next time.
    """

    github: GitHub
    clock: Clock
    found: Found
    unavailable: dict[str, str] = field(default_factory=dict)
    passing: set[str] = field(default_factory=set)

    async def status(self) -> PullStatus:
        """Return whether it can be merged; waits some seconds for GitHub to compute it.

        Raises a TrunklineError.
        """
        parts = await self._parts()
        pull = parts.pull
        state = "unknown" if pull.mergeable is None else pull.mergeable_state.lower()
        return PullStatus(
            **dict(parts.said()),
            pr_number=pull.number,
            url=pull.html_url,
            state=_state(pull),
            draft=pull.draft,
            mergeable=pull.mergeable,
            merge_state_status=state,
            has_conflicts=state == "dirty",
            head_sha=self.found.pull.head.sha,
            other_pull_requests=list(self.found.others),
        )

    async def details(self) -> DetailsAndStatus:
        """Return the pull request with what reviewers and checks say; waits like `status`."""
        parts = await self._parts()
        return DetailsAndStatus(
            **dict(parts.said()), pull_request=details(parts.pull, self.found.others)
        )

    @property
    def reuse(self) -> Reuse:
        """How long it may be used again: not at all if a part may be there the next time."""
        found = self.found
        if self.passing or found.by_branch:
            return Reuse(no_store=True)
        checks = of_commit(found.repository, found.pull.head.sha)
        return Reuse(tags=(*found.reuse.tags, checks))

    async def _parts(self) -> _Parts:
        repository, pull = self.found.repository, self.found.pull
        number, head = pull.number, pull.head.sha
        read = self.github.collect
        async with together() as tasks:
            settled = tasks.create_task(self._settled(pull))
            reviews = tasks.create_task(
                self._part("reviews", read(list_reviews(repository, number), limit=_MOST))
            )
            checks = tasks.create_task(self._part("check_runs", self._checks()))
            statuses = tasks.create_task(
                self._part("statuses", read(list_statuses(repository, head), limit=_MOST))
            )
        return _Parts(
            pull=settled.result(),
            reviews=reviews.result(),
            checks=checks.result(),
            statuses=statuses.result(),
            unavailable=self.unavailable,
        )

    async def _settled(self, pull: PullRequest) -> PullRequest:
        """Read it again while GitHub computes whether it can be merged, a few times."""
        for seconds in _WAITS_S:
            if pull.mergeable is not None or pull.state != "open":
                return pull
            await self.clock.sleep(seconds)
            pull = await self.github.fetch(get_pull(self.found.repository, pull.number))
        if pull.mergeable is None:
            self.passing.add("mergeable")
        return pull

    async def _checks(self) -> Collected[CheckRun]:
        """Read the checks that count: of several runs of a workflow the newest one's."""
        repository, head = self.found.repository, self.found.pull.head.sha
        found = await self.github.collect(list_check_runs(repository, head), limit=_MOST)
        named = [(check.app_slug, check.name) for check in found.items]
        if len(set(named)) == len(named):
            return found
        searched = list_runs(repository, RunFilter(head_sha=head))
        runs = await self._part("workflow_runs", self.github.collect(searched, limit=_MOST))
        return replace(found, items=latest_checks(runs.items, found.items).checks)

    async def _part(self, name: str, reading: Awaitable[Collected[T]]) -> Collected[T]:
        """Read one part; one that fails is left out, and named with the reason."""
        try:
            return await reading
        except _LEAVES_THE_REST as error:
            self.unavailable[name] = f"{error.code}: {error.message}"
            if not isinstance(error, _LASTING):
                self.passing.add(name)
            return Collected(items=(), truncated=False)


def _state(pull: PullRequest) -> Literal["open", "closed", "merged"]:
    if pull.is_merged:
        return "merged"
    return "open" if pull.state == "open" else "closed"


def _of_check(check: CheckRun) -> Check:
    return Check(name=sanitize(check.name), status=check.status, conclusion=check.conclusion)


def _of_status(status: CommitStatus) -> Check:
    done = status.state != "pending"
    return Check(
        name=sanitize(status.context),
        status="completed" if done else "pending",
        conclusion=status.state if done else None,
    )

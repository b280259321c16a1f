"""Opening a pull request once, also when nobody can say whether it has been opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trunkline_issues.labelling import Labelling
from trunkline_issues.pull_refusals import exists_already, understood
from trunkline_issues.pull_results import CreatedPull
from trunkline_issues.refs import Head
from trunkline_issues.reviewers import Reviewers
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Conflict, TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.github.pull_writing import create_pull, request_reviewers
from trunkline_shared.github.pulls import list_pulls
from trunkline_shared.github.repository import Repository
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look

IfExists = Literal["error", "return"]
_SKEW_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPull:
    """A pull request to open, checked; `head_repo` is a name within the owner's reach, or empty."""

    title: str
    body: str
    base: str
    head: Head
    head_repo: str = ""
    draft: bool = False
    maintainer_can_modify: bool = True
    if_exists: IfExists = "error"
    reviewers: Reviewers
    labels: Sequence[str] = ()

    @property
    def fields(self) -> Mapping[str, object]:
        """What GitHub is sent."""
        fields: dict[str, object] = {
            "title": self.title,
            "body": self.body,
            "base": self.base,
            "head": self.head.label,
            "draft": self.draft,
            "maintainer_can_modify": self.maintainer_can_modify,
        }
        return fields | ({"head_repo": self.head_repo} if self.head_repo else {})


@dataclass(slots=True, kw_only=True)
class _Attempt:
    """What is known of a creation: when it began, and whether one may have gone through unseen."""

    since: float
    doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PullCreating:
    """Opens pull requests of one repository."""

    github: GitHub
    clock: Clock
    writes: KeyedWrites
    repository: Repository

    async def create(self, new: NewPull) -> CreatedPull:
        """Open it, or return the open one from the same head to the same base if that is asked.

        Raises Conflict, naming the open one, if it is not; a failure that left it unknown whether
        it was opened says `may_have_happened`.
        """
        key = (self.repository.slug.lower(), 0, f"{self._head(new)} {new.base}".lower())
        async with self.writes.alone(key):
            there = await self._existing(new) if new.if_exists == "return" else None
            pull, created = (there, False) if there is not None else await self._opened(new)
        return CreatedPull(
            pr_number=pull.number,
            url=pull.html_url,
            state="draft" if pull.draft else "open",
            title=sanitize(pull.title),
            created=created,
            node_id=pull.node_id,
            warnings=await self._finished(pull, new),
        )

    async def _opened(self, new: NewPull) -> tuple[PullRequest, bool]:
        attempt = _Attempt(since=self.clock.now() - _SKEW_S)
        try:
            return await self._posted(new, attempt), True
        except TrunklineError as error:
            refusal = error
        if refusal.details.get("may_have_happened") and new.if_exists == "return":
            # GitHub refuses a second one: posting again makes the first at most.
            try:
                return await self._posted(new, attempt), True
            except TrunklineError as error:
                refusal = error
        if exists_already(refusal):
            return await self._there(new, attempt, refusal)
        raise understood(refusal, new.base, new.head)

    async def _posted(self, new: NewPull, attempt: _Attempt) -> PullRequest:
        async def send() -> PullRequest:
            endpoint = create_pull(self.repository, new.fields)
            try:
                return await self.github.fetch(with_time_to_look(endpoint))
            except TrunklineError as error:
                attempt.doubtful |= bool(error.details.get("may_have_happened"))
                raise

        async def look() -> PullRequest | None:
            there = await self._existing(new)
            return there if there and await self._is_ours(there, new, attempt) else None

        return await DoubtfulWrite(
            send=send,
            look=look,
            repeatable=new.if_exists == "return",
            how_to_look="look with list_pull_requests",
        ).perform()

    async def _there(
        self, new: NewPull, attempt: _Attempt, refusal: TrunklineError
    ) -> tuple[PullRequest, bool]:
        """Return the open one that made GitHub refuse another, if it was asked for or is ours."""
        there = await self._existing(new)
        if there is None:
            raise refusal
        ours = await self._is_ours(there, new, attempt)
        if ours or new.if_exists == "return":
            return there, ours
        raise Conflict(
            f"Pull request #{there.number} is open already from {self._head(new)} to {new.base}: "
            f"{there.html_url}",
            hint="Use it, change it with update_pull_request, or pass if_exists='return'.",
            details={
                **refusal.details,
                "reason": "already_exists",
                "pr_number": there.number,
                "url": there.html_url,
            },
        )

    async def _is_ours(self, pull: PullRequest, new: NewPull, attempt: _Attempt) -> bool:
        """Whether it is what this call has opened, although no answer said so."""
        if not attempt.doubtful or pull.title != new.title or pull.user is None:
            return False
        if pull.created_at.timestamp() < attempt.since:
            return False
        return pull.user.login.lower() == (await self.github.login()).lower()

    async def _existing(self, new: NewPull) -> PullRequest | None:
        filters = {"head": self._head(new), "base": new.base, "state": "open"}
        page = await self.github.fetch(list_pulls(self.repository, filters))
        for pull in page.items:
            home = pull.head.repo.full_name.lower() if pull.head.repo is not None else ""
            if pull.head.ref == new.head.branch and new.head_repo.lower() in {"", home}:
                return pull
        return None

    def _head(self, new: NewPull) -> str:
        """Return the head with its owner: a filter without one is ignored."""
        return new.head.of(new.head_repo.partition("/")[0] or self.repository.owner)

    async def _finished(self, pull: PullRequest, new: NewPull) -> list[str]:
        """Ask for reviews and add labels; what fails there is told, and the pull request stays."""
        warnings: list[str] = []
        asked = new.reviewers
        if asked:
            endpoint = request_reviewers(
                self.repository, pull.number, people=asked.people, teams=asked.teams
            )
            try:
                await self.github.fetch(endpoint)
            except TrunklineError as error:
                warnings.append(f"Reviewers were not requested: {error.code}: {error.message}")
        if new.labels:
            warnings += await self._labelled(pull, new.labels)
        return warnings

    async def _labelled(self, pull: PullRequest, labels: Sequence[str]) -> list[str]:
        labelling = Labelling(github=self.github, repository=self.repository, number=pull.number)
        try:
            added = await labelling.add(labels, create_missing=False)
        except TrunklineError as error:
            return [f"Labels were not added: {error.code}: {error.message}"]
        return [f"The repository has no label {name!r}." for name in added.missing]

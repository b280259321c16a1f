"""What the other servers of the mesh know of a branch, asked side by side in the caller's name."""

from collections.abc import Awaitable
from dataclasses import dataclass

from trunkline_branch_context.names import shown
from trunkline_branch_context.parts import Parts
from trunkline_branch_context.subject import Hosting, Subject
from trunkline_shared.binding import bound, outside_binding
from trunkline_shared.delegation import delegated
from trunkline_shared.errors import NotFound, TrunklineError, Unsupported
from trunkline_shared.together import together
from trunkline_shared.work.part import Part, part_of
from trunkline_shared.work.reading import CI, ISSUE, PULL, Arguments, PartReading
from trunkline_shared.work.summaries import CiSummary, IssueSummary, PullSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Asks for the parts; one that fails or is slow costs only itself."""

    reading: PartReading

    async def parts(self, subject: Subject, hosting: Hosting) -> Parts:
        """Return every part, or why it is missing; without a delegation, which tool has it."""
        if delegated() is None:
            return advised(subject)
        async with together() as tasks:
            pull = tasks.create_task(part_of(self._pull_request(subject, hosting)))
            jira = tasks.create_task(part_of(self._issue(subject)))
            ci = tasks.create_task(part_of(self._ci(subject, hosting, pull)))
        return Parts(pull_request=pull.result(), ci=ci.result(), jira=jira.result())

    async def _pull_request(self, subject: Subject, hosting: Hosting) -> PullSummary:
        which: Arguments = {"pr_number": subject.pr_number} if subject.pr_number else {}
        head = hosting.head(subject)
        if not which:
            which = {"branch": subject.branch if bound("branch") else head}
        found = await self.reading.read(PULL, {**hosting.arguments, **which}, PullSummary.of)
        if subject.pr_number is None and not _comes_from(found, subject.branch):
            raise _of_another_branch(found, subject)
        return found

    async def _ci(
        self, subject: Subject, hosting: Hosting, pull: Awaitable[Part[PullSummary]]
    ) -> CiSummary:
        number = subject.pr_number
        if number is None:
            found = (await pull).data
            number = found.number if found else None
        if number is None and subject.head_sha is None:
            raise NotFound("The branch has no pull request and no commit here.")
        which: Arguments = {"pr_number": number} if number else {"ref": subject.head_sha or ""}
        return await self.reading.read(CI, {**hosting.arguments, **which}, CiSummary.of)

    async def _issue(self, subject: Subject) -> IssueSummary:
        if subject.issue_key is None:
            raise NotFound("No Jira issue is linked to the branch, and its name holds no key.")
        return await self.reading.read(ISSUE, {"issue_key": subject.issue_key}, IssueSummary.of)


def _comes_from(found: PullSummary, branch: str) -> bool:
    """Say whether a pull request is the branch's; its head is written with a fork's owner."""
    return found.head in {branch, ""} or found.head.rpartition(":")[2] == branch


def _of_another_branch(found: PullSummary, subject: Subject) -> TrunklineError:
    """Return why a pull request that the context has set instead of the branch's is not told."""
    said = f"The branch {shown(subject.branch)!r} is not that of pull request {found.number}"
    for name in ("pr_number", "issue_number"):
        if bound(name) is not None:
            return outside_binding(said, name)
    return NotFound(f"{said}.")


def advised(subject: Subject) -> Parts:
    """Return the parts of a server that may ask nobody: the tools that have them."""
    pull = f"call get_pr_status with branch {shown(subject.branch)}"
    ci = f"call get_ci_status for the branch's commit {subject.head_sha or '(none)'}"
    jira = "no Jira issue is linked to the branch"
    if subject.pr_number is not None:
        pull = f"call get_pr_status with pr_number {subject.pr_number}"
        ci = f"call get_ci_status with pr_number {subject.pr_number}"
    if subject.issue_key is not None:
        jira = f"call get_jira_issue with issue_key {shown(subject.issue_key)}"
    return Parts(
        pull_request=Part.without(_not_here(pull)),
        ci=Part.without(_not_here(ci)),
        jira=Part.without(_not_here(jira)),
    )


def _not_here(advice: str) -> Unsupported:
    return Unsupported(f"not included by this server: {advice}")

"""All parts at the same time: each begins as soon as it is known what to ask for.

| part | waits for |
|---|---|
| branch | nothing; under a bound pull request, if twig links another one, for its head's name |
| pull request | its number: bound, twig's, or that of the open one from the branch |
| CI | the number; without one known at once, the commit here, and the number if that was another |
| threads | the number |
| jira | the key: bound, twig's, that in the branch's name; else for the pull request's texts |
| to-do | a link in the pull request's text, read by itself for it, else in the issue's |
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from trunkline_bridge.work.asked import Asked, bound_number
from trunkline_bridge.work.links import TodoLink
from trunkline_bridge.work.models import Issue, OpenPulls, Pull, PullText, Threads, Todo
from trunkline_bridge.work.subject_finding import Found, SubjectFinding
from trunkline_shared.errors import NotFound
from trunkline_shared.work import reading
from trunkline_shared.work.issue_key import issue_key_of
from trunkline_shared.work.part import Part, part_of
from trunkline_shared.work.reading import PartReading
from trunkline_shared.work.summaries import Answer, CiSummary

MOST_THREADS = 10
MOST_PULLS = 10
_THREAD_FIELDS = ("path", "line", "author", "body", "comments", "comment_id", "is_outdated")
_PULL_FIELDS = ("number", "head")
_NOT_OFFERED = frozenset({"BLOCKED_BY_POLICY", "UNSUPPORTED", "PERMISSION_DENIED"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Every part, and the branch that it turned out to be about."""

    found: Found
    pull: Part[Pull]
    ci: Part[CiSummary]
    threads: Part[Threads]
    issue: Part[Issue]
    todo: Part[Todo]

    def without_pull(self, why: NotFound) -> "Gathered":
        """Return what is left when the pull request is not the one that is meant."""
        return replace(
            self,
            pull=Part[Pull].without(why),
            ci=Part[CiSummary].without(why),
            threads=Part[Threads].without(why),
            todo=Part[Todo].without(why),
        )


@dataclass(slots=True, kw_only=True)
class Gathering:
    """Gathers the parts of one call."""

    reading: PartReading
    asked: Asked
    _found: "asyncio.Task[Found]" = field(init=False)
    _open: "asyncio.Task[Part[OpenPulls]]" = field(init=False)
    _pull: "asyncio.Task[Part[Pull]]" = field(init=False)
    _issue: "asyncio.Task[Part[Issue]]" = field(init=False)

    async def all(self) -> Gathered:
        """Return every part, or why it is missing."""
        async with asyncio.TaskGroup() as tasks:
            self._pull = tasks.create_task(self._read_pull())
            finding = SubjectFinding(reading=self.reading, asked=self.asked)
            self._found = tasks.create_task(finding.find(self._pull))
            self._open = tasks.create_task(part_of(self._find_open()))
            self._issue = tasks.create_task(part_of(self._read_issue()))
            ci = tasks.create_task(self._read_ci())
            threads = tasks.create_task(part_of(self._read_threads()))
            todo = tasks.create_task(part_of(self._read_todo()))
        gathered = Gathered(
            found=self._found.result(),
            pull=self._pull.result(),
            ci=ci.result(),
            threads=threads.result(),
            issue=self._issue.result(),
            todo=todo.result(),
        )
        strange = self._strange(gathered)
        return gathered if strange is None else gathered.without_pull(strange)

    def _strange(self, gathered: Gathered) -> NotFound | None:
        """Return why the linked pull request is none of the branch's, where that is so.

        What is linked is of the checkout's own repository; the caller may have named another.
        """
        here, pull = gathered.found.here.data, gathered.pull.data
        if not here or not pull or here.pr_number != pull.number:
            return None
        if bound_number() is not None or not self.asked.repository:
            return None
        upstream = (here.upstream or "").partition("/")[2]
        if pull.head.rpartition(":")[2] in {here.branch, upstream, ""}:
            return None
        repository = "/".join(self.asked.repository.values())
        return NotFound(
            f"Pull request {pull.number} of {repository} does not come from the branch.",
            hint="It is linked in the checkout, which may be of another repository.",
        )

    async def _known_number(self) -> int | None:
        """Return the number that is known before GitHub is asked."""
        return bound_number() or (await self._found).subject.pr_number

    async def _find_open(self) -> OpenPulls:
        """Find the open pull requests from the branch."""
        number = await self._known_number()
        if number is not None:
            return OpenPulls(numbers=(number,))
        branch = (await self._found).subject.branch
        if not branch:
            raise NotFound("No branch is known that a pull request could come from.")
        asked = {**self.asked.repository, "head": branch, "limit": MOST_PULLS}
        found = await self.reading.read(
            reading.OPEN_PULLS, {**asked, "fields": list(_PULL_FIELDS)}, _numbers_from(branch)
        )
        if not found.numbers:
            raise NotFound(
                "No open pull request comes from the branch.",
                hint="get_pr_status reads a closed one by pr_number; owner:branch is a fork's.",
            )
        return found

    async def _read_pull(self) -> Part[Pull]:
        """Read the pull request; by the branch where the caller may not list any."""
        found = await self._open
        if found.data:
            which: Mapping[str, object] = {"pr_number": found.data.numbers[0]}
        elif found.error_code in _NOT_OFFERED:
            which = {"branch": (await self._found).subject.branch}
        else:
            return Part[Pull](**found.model_dump(exclude={"data"}))
        arguments = {**self.asked.repository, **which}
        read = await part_of(self.reading.read(reading.PULL, arguments, Pull.of))
        if read.data is None or found.data is None:
            return read
        others = {"other_pull_requests": list(found.data.numbers[1:])}
        return Part.having(read.data.model_copy(update=others))

    async def _number(self) -> int | None:
        """Return the pull request's number, when there is one."""
        found = (await self._open).data
        if found:
            return found.numbers[0]
        pull = (await self._pull).data
        return pull.number if pull else None

    async def _read_ci(self) -> Part[CiSummary]:
        at_commit: Part[CiSummary] | None = None
        if await self._known_number() is None:
            sha = (await self._found).subject.head_sha
            at_commit = await self._ci({"ref": sha}) if sha else None
        number = await self._number()
        if number is None:
            return at_commit or Part.without(NotFound("There is no pull request and no commit."))
        if at_commit and at_commit.data:
            pull = (await self._pull).data
            if pull is None or pull.head_sha == at_commit.data.head_sha:
                return at_commit
        return await self._ci({"pr_number": number})

    async def _ci(self, which: Mapping[str, object]) -> Part[CiSummary]:
        arguments = {**self.asked.repository, **which}
        return await part_of(self.reading.read(reading.CI, arguments, CiSummary.of))

    async def _read_threads(self) -> Threads:
        number = await self._number()
        if number is None:
            raise NotFound("There is no pull request, and so no review.")
        arguments = {"pr_number": number, "per_page": MOST_THREADS, "fields": list(_THREAD_FIELDS)}
        return await self.reading.read(
            reading.THREADS, {**self.asked.repository, **arguments}, Threads.of
        )

    async def _read_issue(self) -> Issue:
        key = (await self._found).subject.issue_key
        if key is None:
            pull = (await self._pull).data
            texts = (pull.head, pull.title) if pull else ()
            key = next(filter(None, (issue_key_of(text, None) for text in texts)), None)
        if key is None:
            raise NotFound("No Jira issue is linked, and neither branch nor title holds a key.")
        return await self.reading.read(reading.ISSUE, {"issue_key": key}, Issue.of)

    async def _pull_link(self) -> TodoLink | None:
        """Return the to-do that the pull request names, before its state is there."""
        found = (await self._open).data
        if found:
            arguments = {**self.asked.repository, "pr_number": found.numbers[0]}
            read = self.reading.read(reading.PULL_TEXT, arguments, PullText.of)
            text = (await part_of(read)).data
            if text:
                return text.link
        pull = (await self._pull).data
        return pull.link if pull else None

    async def _read_todo(self) -> Todo:
        link = await self._pull_link()
        if link is None:
            issue = (await self._issue).data
            link = issue.link if issue else None
        if link is None:
            raise NotFound("Neither pull request nor issue links a Basecamp to-do.")
        arguments = {"project_id": link.project_id, "todo_id": link.todo_id}
        found = await self.reading.read(reading.TODO, arguments, Todo.of)
        if found.url and not link.leads_to(found.url):
            raise NotFound(f"The linked to-do is of another account, {link.account_id}.")
        return found


def _numbers_from(branch: str) -> Callable[[Answer], OpenPulls]:
    """Return the reading of a list, of which only what comes from the branch counts."""
    name = branch.rpartition(":")[2]

    def read(answer: Answer) -> OpenPulls:
        pulls = _Listed.model_validate(answer).pull_requests
        return OpenPulls(
            numbers=tuple(one.number for one in pulls if one.head.rpartition(":")[2] == name)
        )

    return read


class _OpenPull(BaseModel):
    number: int
    head: str


class _Listed(BaseModel):
    pull_requests: list[_OpenPull]

"""What ten agents ask while they review one pull request: the shape of the replay.

An orchestrator starts ten reviewers of one pull request of eight files, each with a concern of its
own (security, tests, naming and so on), over the first ten seconds. An agent's turn is a handful of
reads that it asks for at once, as models that call tools in parallel do, and then it thinks: 3 to
9 s while it reads, 6 to 15 s while it weighs what it has read. It

1. gets its bearings: the pull request, its files, what CI says, both conversations;
2. reads the whole diff, the lines that can be commented on, and the issue that is to be mended;
3. goes through the files in their order: reads the diff of one and its lines and looks at CI, then
   reads the reviews and the review comments, so that nothing is said twice; two of the eight make
   it write an inline comment, after which it reads those comments once more;
4. reads the runs of CI, its checks, and both conversations;
5. writes its summary as a comment, and reads the conversation that has it;
6. stays, if it is to see how CI ends: looks every five to six seconds at what CI says and at both
   conversations, until CI has had twelve minutes.

The review is about sixty reads and three writes for each, in some three minutes, which is dense: a
write every six seconds to the same conversations. The wait is some three hundred reads for each.
While they work CI goes on: one bench is done 40 s and another one 80 s after the beginning, and the
author answers in the conversation at 60 s; none of that goes through the router.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

AGENTS = 10
FILES = ("src/screws.py", "docs/screws.md", *(f"src/part_{n}.py" for n in range(6)))
FINDINGS = 2
POLLS = 105
BENCHES = ("the first bench", "the second bench")
HERE: Mapping[str, object] = {"owner": "acme", "repo": "widgets"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One call of a tool, `server` and `tool` by their own names."""

    server: str
    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    writes: str = ""
    """A text that stands in the conversation from when the write has returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Calls that are made at once, `after_s` seconds after the turn before has ended."""

    after_s: float
    asks: tuple[Ask, ...]


def agents(pull: int, issue: int, number: int = AGENTS, *, stay: bool) -> list[list[Turn]]:
    """Return the turns of each agent, the same each time; those who `stay` wait for CI."""
    return [list(_agent(pull, issue, name).turns(stay=stay)) for name in range(number)]


def _agent(pull: int, issue: int, name: int) -> "_Agent":
    chance = random.Random(name)  # noqa: S311 - the same each time is what it is for
    return _Agent(name=name, pull=pull, issue=issue, chance=chance)


@dataclass(frozen=True, kw_only=True)
class _Agent:
    name: int
    pull: int
    issue: int
    chance: random.Random

    def turns(self, *, stay: bool) -> Iterator[Turn]:
        yield self._turn(
            (0, 10),
            self._issues("get_pull_request", pr_number=self.pull),
            self._issues("list_pr_files", pr_number=self.pull),
            self._ci("get_ci_status", pr_number=self.pull),
            *self._talk(),
        )
        yield self._turn(
            (3, 9),
            self._issues("github_get_pr_diff", pr_number=self.pull),
            self._review("get_commentable_lines"),
            self._issues("github_get_issue", issue_number=self.issue),
        )
        found = self.chance.sample(FILES, FINDINGS)
        for path in FILES:
            yield from self._file(path, finds=path in found)
        yield self._turn(
            (3, 9),
            self._ci("list_workflow_runs", branch="tighten-screws"),
            self._ci("list_check_runs", pr_number=self.pull),
            self._issues("get_pr_status", pr_number=self.pull),
            *self._talk(),
        )
        text = f"Agent {self.name} is done."
        arguments = {"issue_number": self.pull, "body": text, **HERE}
        yield self._turn(
            (6, 15),
            Ask(server="github_comment", tool="create_comment", arguments=arguments, writes=text),
        )
        yield self._turn((0, 1), self._talk()[0])
        for _ in range(POLLS if stay else 0):
            ci = self._ci("get_ci_status", pr_number=self.pull)
            yield self._turn((5, 6), ci, *self._talk())

    def _file(self, path: str, *, finds: bool) -> Iterator[Turn]:
        yield self._turn(
            (3, 9),
            self._issues("github_get_pr_diff", pr_number=self.pull, paths=[path]),
            self._review("get_commentable_lines", path=path),
            self._ci("get_ci_status", pr_number=self.pull),
        )
        yield self._turn(
            (6, 15), self._review("list_review_comments"), self._review("list_reviews")
        )
        if not finds:
            return
        text = f"Agent {self.name} has found something in {path}."
        arguments = {"pr_number": self.pull, "body": text, "path": path, "line": 3, **HERE}
        server, tool = "github_inline_comment", "create_inline_comment"
        yield self._turn((3, 9), Ask(server=server, tool=tool, arguments=arguments, writes=text))
        yield self._turn((0, 1), self._review("list_review_comments"))

    def _turn(self, between: tuple[float, float], *asks: Ask) -> Turn:
        # Quarters of a second, so that calls that overlap in life do so here.
        return Turn(after_s=round(self.chance.uniform(*between) * 4) / 4, asks=asks)

    def _talk(self) -> tuple[Ask, Ask]:
        given = {"issue_number": self.pull, "per_page": 100, **HERE}
        comments = Ask(server="github_comment", tool="list_comments", arguments=given)
        return comments, self._review("list_review_comments")

    def _issues(self, tool: str, **arguments: object) -> Ask:
        return Ask(server="github", tool=tool, arguments={**arguments, **HERE})

    def _ci(self, tool: str, **arguments: object) -> Ask:
        return Ask(server="github_ci", tool=tool, arguments={**arguments, **HERE})

    def _review(self, tool: str, **arguments: object) -> Ask:
        paged = {"per_page": 100} if tool == "list_review_comments" else {}
        given = {"pr_number": self.pull, **paged, **arguments, **HERE}
        return Ask(server="github_inline_comment", tool=tool, arguments=given)

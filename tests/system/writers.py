"""Agents that write, read what they wrote, and count afterwards how often it stands there."""

import itertools
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.system.agents import Agent, Answer, Ask, Crowd, agent
from tests.system.everyday import HERE, PULL, ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A way to write a note under a key, and to read a page of the newest notes."""

    server: str
    write: Callable[[str], Ask]
    read: Callable[[int], Ask]
    listed: str
    is_keyed: bool = True
    pages: bool = True


_INLINE_LINE = 8
KINDS: Mapping[str, Kind] = {
    "comment": Kind(
        server="github_comment",
        write=lambda key: ask(
            "github_comment",
            "create_comment",
            **HERE,
            issue_number=2,
            body=f"Note {key}.",
            marker=key,
        ),
        read=lambda page: ask(
            "github_comment",
            "list_comments",
            **HERE,
            issue_number=2,
            order="newest",
            per_page=50,
            page=page,
        ),
        listed="comments",
    ),
    "inline": Kind(
        server="github_inline_comment",
        write=lambda key: ask(
            "github_inline_comment",
            "create_inline_comment",
            60,
            **PULL,
            path="src/screws.py",
            line=_INLINE_LINE,
            body=f"Note {key}.",
            dedupe_key=key,
        ),
        read=lambda page: ask(
            "github_inline_comment",
            "list_review_comments",
            **PULL,
            direction="desc",
            per_page=50,
            page=page,
        ),
        listed="comments",
    ),
    "issue": Kind(
        server="github",
        write=lambda key: ask("github", "create_issue", **HERE, title=f"Note {key}.", marker=key),
        read=lambda _: ask(
            "github", "github_list_issues", **HERE, sort="created", direction="desc", limit=100
        ),
        listed="issues",
        pages=False,
    ),
    "jira": Kind(
        server="jira",
        write=lambda key: ask("jira", "add_jira_comment", issue_key="WID-2", body=f"Note {key}."),
        read=lambda _: ask("jira", "list_jira_comments", issue_key="WID-2", limit=100),
        listed="comments",
        is_keyed=False,
        pages=False,
    ),
}


@dataclass(kw_only=True)
class Writer:
    """Writes one note after the other; a keyed write that failed is sent again until it stands."""

    kind: Kind
    crowd: Crowd
    stood: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unseen: list[Answer] = field(default_factory=list)

    async def run(self) -> None:
        async with agent(self.crowd.url, self.crowd.key) as me:
            while not self.crowd.done.is_set():
                key = uuid.uuid4().hex
                if await self._written(me, key):
                    self.stood.append(key)
                    await self._look(me, key)
                await self.crowd.think()

    async def _written(self, me: Agent, key: str) -> bool:
        answer = self.crowd.note(await me.call(self.kind.write(key)))
        while self.kind.is_keyed and not answer.is_fine and await self.crowd.think():
            answer = self.crowd.note(await me.call(self.kind.write(key)))
        if not answer.is_fine:
            doubtful = self.kind.is_keyed or is_doubtful(answer)
            (self.doubtful if doubtful else self.refused).append(key)
        return answer.is_fine

    async def _look(self, me: Agent, key: str) -> None:
        """Read what was written; a read that succeeds and lacks it is a stale one."""
        answer = self.crowd.note(await me.call(self.kind.read(1)))
        if answer.is_fine and key not in str(answer.payload):
            self.unseen.append(answer)

    async def count(self, me: Agent) -> Mapping[str, int]:
        """Return how often each note stands there."""
        texts: list[str] = []
        for page in itertools.count(1):
            answer = await me.call(self.kind.read(page))
            assert answer.is_fine, answer
            texts += [str(one) for one in answer.payload[self.kind.listed]]
            if not self.kind.pages or not answer.payload["has_more"]:
                break
        keys = (*self.stood, *self.doubtful, *self.refused)
        return {key: sum(f"Note {key}." in text for text in texts) for key in keys}


def is_doubtful(answer: Answer) -> bool:
    """Say whether a write that failed may have happened all the same."""
    return bool(answer.code == "LOST" or answer.payload.get("details", {}).get("may_have_happened"))

"""How the lines of diffs are kept: once for each base and head, within bounds."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import orjson
import pytest
from cachetools import LRUCache

from trunkline_inline_review.changed_lines import ChangedLines, Key
from trunkline_inline_review.diff_index import DiffIndex
from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repositories, Repository
from trunkline_shared.github.tokens.token import Token
from trunkline_shared.sink import Sink

pytestmark = pytest.mark.anyio

T = TypeVar("T")
HERE = Repository("acme", "widgets")
AT = "2024-01-01T00:00:00Z"


class Somebody:
    """A token that nobody asks about."""

    async def get(self) -> Token:
        return Token(value="token", source="test")

    async def renewed(self, refused: Token, *, status: int, refusals: int) -> Token | None:
        raise AssertionError("nobody asks for this")


@dataclass(kw_only=True)
class Answers:
    """GitHub without a network: every pull request changes the same files."""

    files: int = 3
    asked: list[str] = field(default_factory=list)

    async def perform(self, endpoint: Endpoint[T]) -> T:
        path = endpoint.request.path
        self.asked.append(path.rpartition("/pulls/")[2])
        await asyncio.sleep(0)
        body = self._listed() if path.endswith("/files") else self._pull(path)
        return endpoint.read(Response(status=200, headers={}, body=orjson.dumps(body), url=path))

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T:
        raise AssertionError("nobody asks for this")

    def _pull(self, path: str) -> dict[str, object]:
        number = int(path.rpartition("/")[2])
        side = {"ref": "main", "sha": f"{number:040}"}
        return {
            "id": number, "number": number, "title": "t", "state": "open", "html_url": path,
            "head": side, "base": side, "created_at": AT, "updated_at": AT,
            "changed_files": self.files,
        }  # fmt: skip

    def _listed(self) -> list[dict[str, object]]:
        patch = "@@ -0,0 +1 @@\n+x"
        names = [f"{n}.py" for n in range(self.files)]
        return [{"filename": name, "status": "added", "patch": patch} for name in names]


def lines_over(answers: Answers, *, bound: int) -> ChangedLines:
    """Return a reader that keeps at most `bound` files and hunks."""
    github = GitHub(transport=answers, tokens=Somebody(), repositories=Repositories())
    kept: LRUCache[Key, DiffIndex] = LRUCache(bound, getsizeof=lambda index: index.weight)
    return ChangedLines(github=github, _kept=kept)


async def test_the_least_recently_used_diff_makes_room() -> None:
    """Two diffs of seven fit into fourteen; the third drives the oldest out."""
    answers = Answers()
    lines = lines_over(answers, bound=14)
    for number in (1, 2, 1, 3, 1, 2):
        seen = await lines.of(HERE, number)
        assert len(seen.index.files) == 3
    read = [path for path in answers.asked if path.endswith("/files")]
    assert read == ["1/files", "2/files", "3/files", "2/files"]


async def test_readers_at_the_same_time_read_the_files_once() -> None:
    """They wait for the one that asks."""
    answers = Answers()
    lines = lines_over(answers, bound=100)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        for _ in range(5):
            tasks.create_task(lines.of(HERE, 1))
    assert answers.asked.count("1/files") == 1


async def test_a_diff_of_many_hunks_is_weighed_by_them() -> None:
    """A file counts for itself and for each of its hunks."""
    seen = await lines_over(Answers(files=5), bound=100).of(HERE, 1)
    assert seen.index.weight == 11


async def test_a_diff_beyond_the_bound_is_answered_and_not_kept() -> None:
    """Memory stays bounded whatever a pull request changes."""
    answers = Answers(files=5)
    lines = lines_over(answers, bound=10)
    for _ in range(2):
        assert len((await lines.of(HERE, 1)).index.files) == 5
    assert answers.asked.count("1/files") == 2

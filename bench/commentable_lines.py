"""CPU of telling the lines of 300 files with 20,000 changed lines, from bytes to bytes."""

import asyncio
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import orjson

from bench.findings import Findings, Limit, Table
from trunkline_inline_review.app import build
from trunkline_shared.clock import SystemClock
from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repositories
from trunkline_shared.github.tokens.token import Token
from trunkline_shared.offer import OfferSettings
from trunkline_shared.sink import Sink

T = TypeVar("T")

FILES, HUNKS, CHANGES = 300, 6, 12
MOST_MS = 300.0
BASE = "https://api.github.com/repos/acme/widgets/pulls/2"
SIDE = {"ref": "main", "sha": "a" * 40}
AT = "2024-01-01T00:00:00Z"


def patch() -> str:
    """A file's patch: hunks of changed lines, each between three lines of context."""
    lines = []
    for number in range(HUNKS):
        start, context = number * 100 + 1, [f" unchanged line {n} of the file" for n in range(3)]
        size = CHANGES + 6
        lines.append(f"@@ -{start},6 +{start},{size} @@ def function_{number}(self) -> None:")
        lines += [*context, *(f"+    changed line {n}" for n in range(CHANGES)), *context]
    return "\n".join(lines)


def pages() -> list[bytes]:
    """The pages of the list of files, as GitHub sends them."""
    file = {"status": "modified", "additions": HUNKS * CHANGES, "deletions": 0, "patch": patch()}
    names = [f"src/package_{n // 10}/module_{n}.py" for n in range(FILES)]
    return [
        orjson.dumps([file | {"sha": "b" * 40, "filename": name} for name in names[at : at + 100]])
        for at in range(0, FILES, 100)
    ]


@dataclass(frozen=True, kw_only=True)
class Canned:
    """Answers without a network: the pull request, and the pages of its files."""

    pull: bytes
    files: Sequence[bytes]

    async def perform(self, endpoint: Endpoint[T]) -> T:
        path, query = endpoint.request.path, dict(endpoint.request.query)
        if not path.endswith("/files") and "/files?" not in path:
            return endpoint.read(Response(status=200, headers={}, body=self.pull, url=BASE))
        number = int(query.get("page") or path.rpartition("page=")[2])
        following = f'<{BASE}/files?page={number + 1}>; rel="next"'
        headers = {"link": following} if number < len(self.files) else {}
        body = self.files[number - 1]
        return endpoint.read(Response(status=200, headers=headers, body=body, url=BASE))

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T:
        raise AssertionError(f"nobody streams {endpoint.request.path} into {begin}")


class Somebody:
    """A token that nobody asks about."""

    async def get(self) -> Token:
        return Token(value="token", source="bench")

    async def renewed(self, refused: Token, *, status: int, refusals: int) -> Token | None:
        raise AssertionError(f"nobody refuses {refused.source}: {status}, {refusals}")


def canned() -> Canned:
    pull = {
        "id": 2, "number": 2, "title": "Large", "state": "open", "html_url": BASE, "head": SIDE,
        "base": SIDE, "created_at": AT, "updated_at": AT, "changed_files": FILES,
    }  # fmt: skip
    return Canned(pull=orjson.dumps(pull), files=pages())


async def once(answers: Canned) -> float:
    """Milliseconds of CPU of one call on a server that has read nothing yet."""
    github = GitHub(transport=answers, tokens=Somebody(), repositories=Repositories())
    server = build(github, clock=SystemClock(), offer=OfferSettings())
    arguments = {"owner": "acme", "repo": "widgets", "pr_number": 2}
    begun = time.process_time()
    result = await server.call_tool("get_commentable_lines", arguments)
    body = result.model_dump_json(by_alias=True, exclude_none=True)
    spent = (time.process_time() - begun) * 1000
    if body.count("patch_missing") < FILES:
        raise RuntimeError(f"unexpected answer: {body[:500]}")
    return spent


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure the whole call, without a network."""
    answers = canned()
    costs = [asyncio.run(once(answers)) for _ in range(6 if quick else 16)][1:]
    what = f"{FILES} files, {FILES * HUNKS * CHANGES:,} changed lines"
    median = statistics.median(costs)
    return Findings(
        title="Which lines of a large pull request can be commented on",
        about="`get_commentable_lines` of the largest pull request, from GitHub's bytes to ours.",
        tables=[
            Table(
                title="Milliseconds of CPU per call",
                columns=("", "median", "least", "most"),
                rows=[(what, *(round(cost) for cost in (median, min(costs), max(costs))))],
            )
        ],
        limits=[Limit(what=what, value=median, most=MOST_MS, unit="ms of CPU")],
    )

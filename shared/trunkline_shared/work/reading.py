"""Asking other servers for parts: each by its own name for its tool, and each with its time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import ValidationError

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.mesh.caller import MeshCaller

PART_S: Final = 8.0

Arguments = Mapping[str, object]
Answer = Mapping[str, object]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A tool of one server, by the server's own name for it: no other may answer in its place."""

    server: str
    tool: str


PULL: Final = Source(server="github", tool="get_pr_status")
PULL_TEXT: Final = Source(server="github", tool="get_pull_request")
OPEN_PULLS: Final = Source(server="github", tool="list_pull_requests")
CI: Final = Source(server="github_ci", tool="get_ci_status")
THREADS: Final = Source(server="github_inline_comment", tool="list_review_threads")
ISSUE: Final = Source(server="jira", tool="get_jira_issue")
TODO: Final = Source(server="basecamp", tool="get_todo")
CURRENT_BRANCH: Final = Source(server="twig", tool="get_current_branch")
BRANCH: Final = Source(server="twig", tool="get_branch_metadata")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReading:
    """Asks in the name of the present call's caller; a part has `part_s` seconds."""

    caller: MeshCaller
    part_s: float = PART_S

    async def read(self, source: Source, arguments: Arguments, into: Callable[[Answer], T]) -> T:
        """Return what `into` makes of the answer. Raises what `MeshCaller.call` does."""
        answer = await self.caller.call(source.tool, arguments, self.part_s, source.server)
        try:
            return into(answer)
        except ValidationError:
            raise UpstreamUnavailable(
                f"{source.tool} answered in a form that this server does not know.",
                retryable=False,
            ) from None

"""The resource of a pull request: what `get_pr_status` says, for those who wait for a change."""

from dataclasses import dataclass

from trunkline_issues.pull_tools import PULL, PullTools
from trunkline_issues.tags import BASE
from trunkline_shared import meta
from trunkline_shared.contracts import Policy, Reads
from trunkline_shared.github.resource_arguments import Owner, Pull, Repo, pull_number
from trunkline_shared.github.tags import CHANGED_RUNS, OF_COMMIT
from trunkline_shared.server import ToolServer

TEMPLATE = "pr://{owner}/{repo}/{pr_number}"
POLICY = Policy(reads=Reads(ttl_s=0, tags=(PULL, BASE, OF_COMMIT, CHANGED_RUNS)))
"""What it depends on: whoever subscribes is told when any of it changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What can be read and subscribed to."""

    pulls: PullTools

    async def pull_request(self, owner: Owner, repo: Repo, pr_number: Pull) -> str:
        """Pull request with its reviews and checks: subscribe to hear of changes."""
        found = await self.pulls.get_pr_status(
            owner=owner, repo=repo, pr_number=pull_number(pr_number)
        )
        return found.result.model_dump_json()


def add_resources(server: ToolServer, resources: Resources) -> None:
    """Register the resources with `server`."""
    server.resource(
        TEMPLATE,
        name="pr",
        title="Pull request",
        mime_type="application/json",
        meta=POLICY.to_meta() | {meta.ANSWERS_AS: "get_pr_status"},
    )(resources.pull_request)

"""The resource of a pull request's CI: what `get_ci_status` says, for those who wait for it."""

from dataclasses import dataclass

from trunkline_ci_status.status_tools import StatusTools
from trunkline_ci_status.tags import OF_HEAD
from trunkline_shared import meta
from trunkline_shared.contracts import Policy, Reads
from trunkline_shared.github.resource_arguments import Owner, Pull, Repo, pull_number
from trunkline_shared.github.tags import CHANGED_RUNS, OF_COMMIT
from trunkline_shared.server import ToolServer

TEMPLATE = "ci://{owner}/{repo}/pull/{pr_number}"
POLICY = Policy(reads=Reads(ttl_s=0, tags=(OF_HEAD, OF_COMMIT, CHANGED_RUNS)))
"""What it depends on: whoever subscribes is told when any of it changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What can be read and subscribed to."""

    status: StatusTools

    async def ci(self, owner: Owner, repo: Repo, pr_number: Pull) -> str:
        """Whether CI passes on a pull request: subscribe to wait for it."""
        found = await self.status.get_ci_status(
            owner=owner, repo=repo, pr_number=pull_number(pr_number)
        )
        return found.result.model_dump_json()


def add_resources(server: ToolServer, resources: Resources) -> None:
    """Register the resources with `server`."""
    server.resource(
        TEMPLATE,
        name="ci",
        title="CI of a pull request",
        mime_type="application/json",
        meta=POLICY.to_meta() | {meta.ANSWERS_AS: "get_ci_status"},
    )(resources.ci)

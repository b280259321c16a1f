"""The tools that label issues."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_issues.cursor import Cursor
from trunkline_issues.label_listing import browse
from trunkline_issues.label_models import LabelRemoved, Labels, LabelsAdded
from trunkline_issues.labelling import Labelling
from trunkline_issues.tags import ALL_LABELS, REPOSITORY_DEFAULTS, WRITES_LABELS
from trunkline_shared.arguments import PerPage
from trunkline_shared.contracts import READ, WRITE_IDEMPOTENT, Policy, Reads
from trunkline_shared.github.arguments import IssueNumber, Owner, Repo
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.targets import require_bound_issue, to_read, to_write
from trunkline_shared.listing import Fields
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTools:
    """Labels of issues and pull requests."""

    github: GitHub

    @tool(
        "Add labels",
        WRITE_IDEMPOTENT,
        Policy(writes=WRITES_LABELS, needs=("owner", "repo", "issue_number")),
    )
    async def github_add_labels(
        self,
        *,
        issue_number: IssueNumber,
        labels: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)],
        create_missing: Annotated[bool, Field(description="Make unknown labels")] = False,
        owner: Owner = "",
        repo: Repo = "",
    ) -> LabelsAdded:
        """Add labels to an issue or pull request.

        Existing ones are added; labels that the repository lacks are left out and named in missing.
        """
        repository = await to_write(self.github, owner, repo)
        require_bound_issue(issue_number)
        labelling = Labelling(github=self.github, repository=repository, number=issue_number)
        return await labelling.add(labels, create_missing=create_missing)

    @tool(
        "Remove label",
        WRITE_IDEMPOTENT,
        Policy(
            writes=WRITES_LABELS,
            needs=("owner", "repo", "issue_number"),
            write_group="issues",
        ),
    )
    async def remove_label(
        self,
        *,
        issue_number: IssueNumber,
        name: Annotated[str, Field(min_length=1)],
        owner: Owner = "",
        repo: Repo = "",
    ) -> LabelRemoved:
        """Take a label off an issue or pull request. Returns the labels that remain."""
        repository = await to_write(self.github, owner, repo)
        require_bound_issue(issue_number)
        labelling = Labelling(github=self.github, repository=repository, number=issue_number)
        return await labelling.remove(name)

    @tool(
        "List labels",
        READ,
        Policy(
            reads=Reads(ttl_s=300, stale_s=3600, tags=(ALL_LABELS,)),
            needs=("owner", "repo"),
            defaults=REPOSITORY_DEFAULTS,
            toolset="issues",
        ),
    )
    async def list_labels(
        self,
        *,
        limit: PerPage = 100,
        cursor: Cursor = "",
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Labels:
        """List the labels of the repository."""
        repository = await to_read(self.github, owner, repo)
        return await browse(self.github, repository, limit=limit, cursor=cursor, fields=fields)

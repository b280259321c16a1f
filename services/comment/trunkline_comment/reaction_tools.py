"""The tools that react to comments, issues and pull requests."""

from dataclasses import dataclass

from trunkline_comment.families import AskedKind, find, subject
from trunkline_comment.models import Reacted, Removed
from trunkline_comment.tools import HELD_TO, WRITES_BY_ID
from trunkline_shared.arguments import Number
from trunkline_shared.contracts import DESTRUCTIVE, WRITE_IDEMPOTENT, Policy
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.github import reactions
from trunkline_shared.github.arguments import Owner, Repo
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import Content
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.targets import require_bound_issue, to_write
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionTools:
    """Reactions."""

    github: GitHub

    @tool(
        "Add reaction",
        WRITE_IDEMPOTENT,
        Policy(writes=WRITES_BY_ID, needs=("owner", "repo"), enforces=HELD_TO, toolset="reactions"),
    )
    async def add_reaction(
        self,
        *,
        content: Content,
        comment_id: Number | None = None,
        issue_number: Number | None = None,
        kind: AskedKind = "auto",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Reacted:
        """React to a comment, or to an issue or PR itself: give comment_id or issue_number."""
        repository = await to_write(self.github, owner, repo)
        what = await self._subject(repository, comment_id, issue_number, kind)
        done = await self.github.fetch(reactions.create_reaction(repository, what, content))
        return Reacted(reaction_id=done.reaction.id, created=done.created)

    @tool(
        "Remove reaction",
        DESTRUCTIVE,
        Policy(
            writes=WRITES_BY_ID,
            needs=("owner", "repo"),
            enforces=HELD_TO,
            toolset="reactions",
            write_group="delete",
        ),
    )
    async def remove_reaction(
        self,
        *,
        reaction_id: Number,
        comment_id: Number | None = None,
        issue_number: Number | None = None,
        kind: AskedKind = "auto",
        owner: Owner = "",
        repo: Repo = "",
    ) -> Removed:
        """Take back a reaction. One that is gone already counts as removed."""
        repository = await to_write(self.github, owner, repo)
        try:
            what = await self._subject(repository, comment_id, issue_number, kind)
            existed = await self.github.fetch(
                reactions.delete_reaction(repository, what, reaction_id)
            )
        except NotFound:
            existed = False
        return Removed(reaction_id=reaction_id, existed=existed)

    async def _subject(
        self,
        repository: Repository,
        comment_id: int | None,
        issue_number: int | None,
        kind: AskedKind,
    ) -> reactions.Subject:
        if comment_id is not None:
            return subject(await find(self.github, repository, comment_id, kind))
        if issue_number is not None:
            require_bound_issue(issue_number)
            return reactions.issue(issue_number)
        raise InvalidInput(
            "comment_id or issue_number must be given.",
            hint="Pass comment_id to react to a comment, issue_number for the issue or PR itself.",
            details={"field_errors": [{"field": "comment_id", "problem": "is required"}]},
        )

"""Creating an inline comment where it stands in the diff at the moment of posting."""

from dataclasses import dataclass, replace

from trunkline_inline_review.anchors import Anchor, Rejection
from trunkline_inline_review.asking import Ask
from trunkline_inline_review.changed_lines import ChangedLines, Seen
from trunkline_inline_review.inline_models import InlineCreated
from trunkline_inline_review.inline_posting import InlinePosting
from trunkline_inline_review.paths import find
from trunkline_inline_review.pending import explained
from trunkline_inline_review.placing import place
from trunkline_shared.errors import InvalidInput, LineNotInDiff, TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.commits import MOST_OF_PULL, list_commits_of_pull

_UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A comment, whether it is new, and whether the head moved between a check and its post."""

    comment: ReviewComment
    created: bool
    head_moved: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineDesk:
    """What creating inline comments needs: a GitHub, its diffs, and the way to post once."""

    github: GitHub
    lines: ChangedLines
    posting: InlinePosting

    async def create(self, where: Conversation, ask: Ask) -> Made:
        """Post the comment, or return the one that is there already.

        Raises LineNotInDiff, InvalidInput, Conflict while a review of one's own is pending, and
        whatever the post fails with.
        """
        async with self.posting.alone(where, ask.marker):
            try:
                return await self._create(where, ask)
            except TrunklineError as error:
                better = await explained(self.github, where.repository, where.number, error)
                raise better from None

    async def _create(self, where: Conversation, ask: Ask) -> Made:
        earlier = await self.posting.posted_before(where, ask)
        if earlier is not None:
            return Made(comment=earlier, created=False)
        seen = await self.lines.of(where.repository, where.number)
        commit = ask.commit_id and await self._commit_of_pull(where, ask.commit_id, seen)
        if commit in {"", seen.pull.head.sha}:
            return await self._at_head(where, ask, seen)
        return await self._at_commit(where, ask, commit, seen)

    async def _at_head(self, where: Conversation, ask: Ask, seen: Seen) -> Made:
        """Post on the head that was just read; check once more when it moved meanwhile."""
        try:
            return await self._post(where, ask, seen)
        except (LineNotInDiff, InvalidInput) as refusal:
            if refusal.details.get("http_status") != _UNPROCESSABLE:
                raise
            now = await self.lines.of(where.repository, where.number)
            if now.of_same_commits(seen):
                raise _with_ranges(refusal, ask, seen) from None
        return replace(await self._post(where, ask, now), head_moved=True)

    async def _post(self, where: Conversation, ask: Ask, seen: Seen) -> Made:
        anchor = placed(seen, ask)
        comment = await self.posting.post(where, ask, anchor, seen.pull.head.sha)
        return Made(comment=comment, created=True, note=anchor.note)

    async def _at_commit(self, where: Conversation, ask: Ask, commit: str, seen: Seen) -> Made:
        """Post on an earlier commit, whose diff GitHub alone knows."""
        wanted = ask.wanted
        match = find(seen.index, wanted.path)
        begin = wanted.begin
        anchor = Anchor(
            path=match.file.path if match else wanted.path,
            line=wanted.end,
            side=wanted.side,
            start_line=begin[1] if begin else None,
            start_side=begin[0] if begin else None,
        )
        try:
            comment = await self.posting.post(where, ask, anchor, commit)
        except LineNotInDiff as refusal:
            refusal.hint = "Leave commit_id out: the head's lines are checked before posting."
            raise
        return Made(comment=comment, created=True)

    async def _commit_of_pull(self, where: Conversation, given: str, seen: Seen) -> str:
        """Return the full SHA of a commit of the pull request.

        Beyond the 250 commits that GitHub lists, a full SHA is left to GitHub.
        """
        head = seen.pull.head.sha
        if head.startswith(given):
            return head
        listed = await self.github.collect(
            list_commits_of_pull(where.repository, where.number), limit=MOST_OF_PULL
        )
        found = [one.sha for one in listed.items if one.sha.startswith(given)]
        if len(found) == 1:
            return found[0]
        if not found and len(listed.items) >= MOST_OF_PULL:
            return given
        raise InvalidInput(
            f"commit_id {given} is not a commit of pull request {where.number}.",
            hint=f"Leave commit_id out to comment on the head, {head}. After a force push the "
            "commits before are not part of it any more.",
            details={
                "reason": "commit_not_in_pull_request",
                "head_sha": head,
                "field_errors": [{"field": "commit_id", "problem": "is not of the pull request"}],
            },
        )


def placed(seen: Seen, ask: Ask) -> Anchor:
    """Return where the comment stands. Raises LineNotInDiff or InvalidInput."""
    found = place(seen.index, ask.wanted, ask.outside)
    if isinstance(found, Anchor):
        return found
    raise told(found, seen)


def told(rejection: Rejection, seen: Seen) -> TrunklineError:
    """Return the failure that a rejection is, with the head that it is true for."""
    error = rejection.error()
    error.details = {**error.details, "head_sha": seen.pull.head.sha}
    return error


def _with_ranges(refusal: TrunklineError, ask: Ask, seen: Seen) -> TrunklineError:
    """Return GitHub's refusal of a line that its own patch shows, with the lines it shows."""
    match = find(seen.index, ask.wanted.path)
    if match is None or not isinstance(refusal, LineNotInDiff):
        return refusal
    rejection = Rejection(
        reason="line_not_in_diff",
        message=refusal.message,
        hint="GitHub refused a line that its diff shows: comment with subject_type='file'.",
        wanted=replace(ask.wanted, path=match.file.path),
        path=match.file.path,
        ranges=match.file.ranges(ask.wanted.side),
    )
    error = told(rejection, seen)
    error.details = {**refusal.details, **error.details}
    return error


def answered(made: Made) -> InlineCreated:
    """Return the answer about a comment."""
    comment = made.comment
    return InlineCreated(
        comment_id=comment.id,
        html_url=comment.html_url,
        path=comment.path,
        line=comment.line,
        start_line=comment.start_line,
        side=comment.side,
        commit_id=comment.commit_id,
        original_line=comment.original_line,
        outdated=comment.outdated,
        created=made.created,
        head_moved=made.head_moved,
        note=made.note,
    )

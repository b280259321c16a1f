"""Listing a repository's pull requests, and the files that one of them changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_issues import refs
from trunkline_issues.cursor import following, read, written
from trunkline_issues.diff_models import ChangedFile, ChangedFiles
from trunkline_issues.pull_finding import Found
from trunkline_issues.pull_results import PullEntry, PullRequests
from trunkline_issues.pull_shapes import entry
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.pull_models import PullFile
from trunkline_shared.github.pulls import MOST_FILES, list_files, list_pulls
from trunkline_shared.github.repository import Repository
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import visible_escapes
from trunkline_shared.vendor.answered import source_of, with_response


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """Which part of a list, and which fields of its entries."""

    limit: int
    cursor: str = ""
    fields: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PullQuery:
    """Which pull requests to list; an empty base or head filters nothing."""

    state: str = "open"
    base: str = ""
    head: str = ""
    sort: str = "created"
    direction: str = "desc"

    def filters(self, owner: str) -> dict[str, str]:
        """Return GitHub's parameters. Raises InvalidInput for names that no branch has."""
        return {
            "state": self.state,
            "base": refs.branch(self.base, "base") if self.base else "",
            "head": refs.head(self.head).of(owner) if self.head else "",
            "sort": self.sort,
            "direction": self.direction,
        }


async def pulls(
    github: GitHub, repository: Repository, query: PullQuery, part: Slice
) -> PullRequests:
    """Return a page of pull requests.

    Raises InvalidInput for an unknown field, an unusable cursor or branch before anything is
    asked.
    """
    choose((), part.fields, PullEntry)
    question = (repository.slug.lower(), query, part.limit)
    place = read(part.cursor, *question)
    filters = {**query.filters(repository.owner), **dict(place.query)}
    endpoint = list_pulls(repository, filters, per_page=part.limit)
    page, response = await github.fetch(with_response(endpoint))
    goes_on = following(page.next_url)
    return PullRequests(
        pull_requests=choose([entry(one) for one in page.items], part.fields, PullEntry),
        page_info=PageInfo(
            has_more=goes_on is not None,
            next_cursor=written(goes_on, *question) if goes_on else None,
            returned=len(page.items),
        ),
        has_more=goes_on is not None,
        source=source_of(response),
    )


async def files(github: GitHub, found: Found, part: Slice, *, with_patch: bool) -> ChangedFiles:
    """Return a page of the files that a pull request changes; GitHub lists 3,000 at most.

    Raises InvalidInput for an unusable cursor, for one of another head too.
    """
    pull, repository = found.pull, found.repository
    question = (repository.slug.lower(), pull.number, pull.head.sha, part.limit)
    place = read(part.cursor, *question)
    endpoint = list_files(repository, pull.number, page_number=place.page, per_page=part.limit)
    page, response = await github.fetch(with_response(endpoint))
    goes_on = following(page.next_url)
    shown = [_file(one, with_patch=with_patch) for one in page.items]
    return ChangedFiles(
        pr_number=pull.number,
        files=choose([file for file, _ in shown], part.fields, ChangedFile),
        total=pull.changed_files,
        page_info=PageInfo(
            has_more=goes_on is not None,
            next_cursor=written(goes_on, *question) if goes_on else None,
            total_count=pull.changed_files,
            returned=len(shown),
            truncated=goes_on is None and pull.changed_files > MOST_FILES,
        ),
        has_more=goes_on is not None,
        hidden_characters=sum(hidden for _, hidden in shown),
        source=source_of(response).model_copy(update={"head_sha": pull.head.sha}),
        other_pull_requests=list(found.others),
    )


def _file(file: PullFile, *, with_patch: bool) -> tuple[ChangedFile, int]:
    patch, hidden = visible_escapes(file.patch or "")
    previous = file.previous_filename
    shown = ChangedFile(
        path=visible_escapes(file.filename)[0],
        previous_path=None if previous is None else visible_escapes(previous)[0],
        status=file.status,
        additions=file.additions,
        deletions=file.deletions,
        patch=patch if with_patch and file.patch is not None else None,
    )
    return shown, hidden if with_patch else 0

"""Listing the threads of a pull request: those that are open, unless all are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_inline_review.asked_review import Where
from trunkline_inline_review.review_models import ListedThread, Threads
from trunkline_inline_review.shown_threads import ShownThread, show_threads
from trunkline_shared.errors import NotFound
from trunkline_shared.exchange import Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.markers import without_marker
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize, visible_escapes
from trunkline_shared.vendor.answered import source_of, with_response

MOST = 1000
"""So many threads are read at most, a hundred at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadQuery:
    """Which threads to list, which page of them, and which fields of each."""

    include_resolved: bool
    page: int
    per_page: int
    fields: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    threads: Sequence[ShownThread]
    response: Response
    truncated: bool


async def listed(github: GitHub, where: Where, query: ThreadQuery) -> Threads:
    """Return one page, oldest first; GitHub has no filter, so all threads are read for it.

    Raises InvalidInput for an unknown field before anything is asked, NotFound.
    """
    choose((), query.fields, ListedThread)
    read = await _read(github, where)
    unresolved = [one for one in read.threads if not one.is_resolved]
    wanted = read.threads if query.include_resolved else unresolved
    begin = (query.page - 1) * query.per_page
    shown = wanted[begin : begin + query.per_page]
    has_more = begin + len(shown) < len(wanted)
    return Threads(
        threads=choose(map(_entry, shown), query.fields, ListedThread),
        total=len(read.threads),
        unresolved=len(unresolved),
        page_info=PageInfo(
            has_more=has_more,
            next_page=query.page + 1 if has_more else None,
            total_count=None if read.truncated else len(wanted),
            returned=len(shown),
            truncated=read.truncated,
        ),
        has_more=has_more,
        source=source_of(read.response),
    )


async def _read(github: GitHub, where: Where) -> _Read:
    threads: list[ShownThread] = []
    after: str | None = None
    while True:
        endpoint = show_threads(where.repository, where.number, after)
        found, response = await github.fetch(with_response(endpoint))
        if found.threads is None:
            raise NotFound(
                f"{where.repository.slug} has no pull request {where.number}.",
                hint="An issue has no review threads.",
            )
        threads += found.threads
        after = found.next_cursor
        if after is None or len(threads) >= MOST:
            return _Read(threads=threads, response=response, truncated=after is not None)


def _entry(thread: ShownThread) -> ListedThread:
    first = thread.first
    return ListedThread(
        thread_id=thread.id,
        path=visible_escapes(thread.path)[0],
        line=thread.line,
        is_resolved=thread.is_resolved,
        is_outdated=thread.is_outdated,
        comments=thread.comments.total,
        comment_id=first.id if first else None,
        author=first.author.login if first and first.author else None,
        body=sanitize(without_marker(first.body)) if first else "",
        created_at=first.created_at if first else None,
        html_url=first.url if first else "",
    )

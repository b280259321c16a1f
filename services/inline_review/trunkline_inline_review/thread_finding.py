"""The thread, or the comment, that a caller means: only one of the pull request that was named."""

from trunkline_inline_review import threads
from trunkline_inline_review.asked_review import Where
from trunkline_inline_review.threads import Thread
from trunkline_shared.binding import require_bound
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.comments import get_review_comment
from trunkline_shared.github.targets import require_bound_issue
from trunkline_shared.vendor.paging import PAGE_CAP


async def comment_of(github: GitHub, where: Where, comment_id: int) -> ReviewComment:
    """Return a review comment of the pull request.

    Raises NotFound, BlockedByPolicy outside the context, InvalidInput for another pull request's.
    """
    try:
        found = await github.fetch(get_review_comment(where.repository, comment_id))
    except NotFound as error:
        raise NotFound(
            f"{comment_id} is no review comment of {where.repository.slug}, or it was deleted.",
            hint="list_review_comments shows the ids. A comment of the conversation has no thread: "
            "answer it with create_comment.",
            details=error.details,
        ) from None
    require_bound_issue(found.number)
    if found.number != where.number:
        raise _of_another(f"Comment {comment_id}", f"pull request {found.number}", where)
    return found


async def thread_named(github: GitHub, where: Where, thread_id: str) -> Thread:
    """Return the thread with a node id, checked before anything is done to it.

    Raises as `comment_of` does.
    """
    node = (await github.fetch(threads.get_thread(thread_id))).node
    if node is None:
        raise NotFound(
            f"{thread_id[:100]!r} is not the node id of a review thread.",
            hint="Pass the thread's PRRT_… id, or the comment_id of any comment in it.",
            details={"reason": "no_such_thread"},
        )
    owner, _, name = node.repository.partition("/")
    require_bound("The thread's owner", owner, "owner")
    require_bound("The thread's repository", name, "repo")
    require_bound_issue(node.number)
    same = node.repository.lower() == where.repository.slug.lower()
    if not same or node.number != where.number:
        raise _of_another("The thread", f"{node.repository}#{node.number}", where)
    return node


async def thread_of(github: GitHub, where: Where, comment_id: int) -> Thread:
    """Return the thread that a comment, its head or any reply, is in.

    GitHub has no question for it: all threads of the pull request are gone through. Raises as
    `comment_of` does.
    """
    comment = await comment_of(github, where, comment_id)
    wanted = frozenset({comment.node_id, await _head_node(github, where, comment)} - {""})
    after: str | None = None
    for _ in range(PAGE_CAP):
        endpoint = threads.list_threads(where.repository, where.number, after)
        page = (await github.fetch(endpoint)).threads
        if page is None:
            break
        for thread in page.nodes:
            if thread.holds(wanted):
                return thread
        after = page.next_cursor
        if after is None:
            break
    raise NotFound(
        f"Comment {comment_id} is in no thread of pull request {where.number}.",
        hint="It was deleted meanwhile, or its review is still pending: a thread begins when the "
        "review is submitted.",
        details={"reason": "no_such_thread"},
    )


async def _head_node(github: GitHub, where: Where, comment: ReviewComment) -> str:
    """Return the node id of the comment that began the thread; empty when it was deleted."""
    if comment.in_reply_to_id is None:
        return comment.node_id
    try:
        head = get_review_comment(where.repository, comment.in_reply_to_id)
        return (await github.fetch(head)).node_id
    except NotFound:
        return ""


def _of_another(what: str, actual: str, where: Where) -> InvalidInput:
    return InvalidInput(
        f"{what} belongs to {actual}, not to {where.repository.slug}#{where.number}.",
        hint="Pass the pull request that it belongs to.",
        details={"reason": "other_pull_request"},
    )

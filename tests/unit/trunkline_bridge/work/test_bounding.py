"""Fitting a work context into its tokens."""

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline_bridge.work.bounding import bounded, shortened
from trunkline_bridge.work.models import (
    BranchSummary,
    Issue,
    Pull,
    Threads,
    Todo,
    WorkContext,
)
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.work.part import Part
from trunkline_shared.work.summaries import CiSummary

TEXT = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\\n\x01\U0001f600'), max_size=40
).map(lambda text: text * 40)
NAMES = st.lists(TEXT, max_size=15)


def failed(text: str) -> Part[Any]:
    """Return a part that is missing with a long reason."""
    return Part.without(UpstreamUnavailable(text, hint=text))


@st.composite
def contexts(draw: st.DrawFn) -> WorkContext:
    """Return contexts of any texts, with parts missing."""

    def part(kind: Any, **told: Any) -> Any:
        return failed(draw(TEXT)) if draw(st.booleans()) else Part.having(kind.of(told))

    text = draw(TEXT)
    many = draw(st.integers(0, 10**6))
    names = draw(NAMES)
    signals = [{"name": each, "status": "completed", "conclusion": "failure"} for each in names]
    pull = {
        "number": many, "title": text, "state": text, "author": text, "base": text, "head": text,
        "head_sha": text, "body": text, "labels": names, "url": text, "updated_at": text,
        "additions": many, "deletions": many, "changed_files": many, "mergeable": True,
        "other_pull_requests": [many] * 10,
    }  # fmt: skip
    return WorkContext(
        branch=part(BranchSummary, branch=text, upstream=text, warnings=names, head_sha=text),
        pull_request=part(
            Pull, pull_request=pull, reviews=[{"author": each, "state": each} for each in names]
        ),
        ci=part(CiSummary, head_sha=text, summary={"verdict": text}, checks=signals, notes=names),
        threads=part(
            Threads, unresolved=many + 10, total=many + 10,
            threads=[{"path": each, "body": each, "author": each} for each in names],
        ),
        jira=part(Issue, key=text, summary=text, status=text, description=text, url=text),
        todo=part(Todo, title=text, content=text, assignees=names, url=text),
    )  # fmt: skip


@pytest.mark.requirement("bridge.work-tokens")
@settings(max_examples=150)
@given(contexts(), st.sampled_from([300, 600, 1500, 6000]))
def test_whatever_it_holds_it_fits(context: WorkContext, tokens: int) -> None:
    """In bytes of its JSON, four a token; and what is cut is still of the same form."""
    told = bounded(context, tokens).model_dump(mode="json")
    assert len(orjson.dumps(told)) <= tokens * 4
    again = WorkContext.model_validate(told)
    assert again.model_dump(mode="json") == told


@pytest.mark.requirement("bridge.work-tokens")
def test_what_fits_is_left_as_it_is() -> None:
    """And what is cut is the least useful: a to-do's text before a thread's."""
    todo = Todo.of({"title": "Write", "content": "x" * 500})
    threads = Threads.of({"unresolved": 1, "total": 1, "threads": [{"body": "y" * 500}]})
    context = WorkContext(todo=Part.having(todo), threads=Part.having(threads))
    assert bounded(context, 1500).model_dump() == context.model_dump()
    cut = bounded(context, 330)
    assert cut.todo.data is not None
    assert cut.threads.data is not None
    assert len(cut.todo.data.content) < 250
    assert len(cut.threads.data.threads[0].body) == 500
    assert cut.left_out == {"characters": 500 - len(cut.todo.data.content) + 1}


@given(TEXT, st.integers(24, 300))
def test_a_text_is_cut_by_its_bytes_in_json(text: str, most: int) -> None:
    """Escapes and what takes several bytes count as they are sent."""
    kept = shortened(text, most)
    assert len(orjson.dumps(kept)) - 2 <= most
    assert kept == text or text.startswith(kept.removesuffix("…"))

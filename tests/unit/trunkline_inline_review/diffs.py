"""Changed files as hypothesis makes them, and what GitHub makes of an anchor in them."""

from hypothesis import strategies as st

from trunkline_inline_review.anchors import Anchor, Wanted
from trunkline_inline_review.diff_index import DiffIndex, Side, indexed
from trunkline_shared.github.pull_models import PullFile
from trunkline_shared.testing.github import ChangedFile
from trunkline_shared.testing.github.anchoring import Place, refusal_of

LINES = st.sampled_from(["a\n", "b\n", "+\n", "-x\n", " \n", "\n", "@@ -1 +1 @@\n", "\u2028\r\n"])
LAST = st.sampled_from(["", "end", "\\"])
TEXTS = st.builds(
    lambda lines, last: "".join(lines) + last, st.lists(LINES, min_size=0, max_size=30), LAST
)
SIDES: st.SearchStrategy[Side] = st.sampled_from(["LEFT", "RIGHT"])


@st.composite
def changed_files(draw: st.DrawFn, path: str = "a.py") -> ChangedFile:
    """Return a file before and after: edited, added, removed or without a patch."""
    before = draw(TEXTS)
    after = draw(st.one_of(TEXTS, st.just(before + "more\n"), st.just("top\n" + before)))
    kind = draw(st.sampled_from(["modified", "modified", "added", "removed", "renamed", "binary"]))
    return ChangedFile(
        path=path,
        before=None if kind == "added" else before,
        after=None if kind == "removed" else after,
        previous_path="old.py" if kind == "renamed" else None,
        binary=kind == "binary",
    )


@st.composite
def wanted_in(draw: st.DrawFn, path: str = "a.py") -> Wanted:
    """Return an anchor of any shape, mostly a range of a few lines where lines are."""
    line = draw(st.integers(min_value=1, max_value=12) | st.integers(min_value=1, max_value=40))
    near = st.integers(min_value=-3, max_value=3).map(lambda step: max(1, line + step))
    return Wanted(
        path=path,
        line=draw(st.sampled_from([line, line, line, None])),
        start_line=draw(st.none() | near | st.integers(min_value=1, max_value=40)),
        side=draw(SIDES),
        start_side=draw(st.none() | SIDES),
    )


def index_of(*files: ChangedFile) -> DiffIndex:
    """Return what our reader makes of the files as GitHub sends them."""
    sent = [
        PullFile(
            filename=file.path,
            status=file.status,
            patch=file.patch,
            previous_filename=file.previous_path,
        )
        for file in files
    ]
    return indexed(sent, base_sha="b" * 40, head_sha="a" * 40)


def github_takes(file: ChangedFile, anchor: Anchor) -> bool:
    """Say whether GitHub takes a comment there; nothing of ours decides it."""
    if anchor.line is None:
        return True
    place = Place(
        line=anchor.line,
        side=anchor.side,
        start_line=anchor.start_line,
        start_side=anchor.start_side,
    )
    return refusal_of(file, place) is None

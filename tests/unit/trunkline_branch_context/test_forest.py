"""The forest: every branch once, whatever the state says."""

from hypothesis import given
from hypothesis import strategies as st

from trunkline_branch_context.forest import grow, root_names
from trunkline_branch_context.state import parse_state
from trunkline_branch_context.tree import walk
from trunkline_branch_context.tree_text import Labels, render
from trunkline_shared.testing.git_repository import twig_state

NAMES = st.sampled_from([*"abcdefgh"])
EDGES = st.lists(st.tuples(NAMES, NAMES), max_size=24)
ROOTS = st.lists(st.tuples(NAMES, st.booleans()), max_size=3)


@given(local=st.sets(NAMES), edges=EDGES, roots=ROOTS, current=NAMES)
def test_every_branch_is_shown_exactly_once(
    local: set[str], edges: list[tuple[str, str]], roots: list[tuple[str, bool]], current: str
) -> None:
    """With configured roots and orphans, each local branch is one line; the walk always ends."""
    state = parse_state(twig_state(dependencies=edges, roots=roots))
    forest = grow(state, local, current)
    shown = [line.branch for line in walk(forest, forest.roots).lines]
    assert len(shown) == len(set(shown))
    assert set(shown) <= local
    beneath = {name for root in forest.roots for name in _ancestors(state.parents, root, local)}
    if not beneath:
        assert set(shown) == local


def _ancestors(parents: object, name: str, local: set[str]) -> set[str]:
    assert isinstance(parents, dict)
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for parent in parents.get(waiting.pop(), ()):
            if parent in local and parent not in found and parent != name:
                found.add(parent)
                waiting.append(parent)
    return found


@given(local=st.sets(NAMES, min_size=1), edges=EDGES, roots=ROOTS)
def test_the_text_has_a_line_for_each_branch_shown(
    local: set[str], edges: list[tuple[str, str]], roots: list[tuple[str, bool]]
) -> None:
    """Both styles, any forest; only roots begin at the margin."""
    forest = grow(parse_state(twig_state(dependencies=edges, roots=roots)), local, None)
    lines = walk(forest, forest.roots).lines
    for style in ("plain", "columns"):
        text = render([(line, Labels()) for line in lines], style).splitlines()
        assert len(text) == len(lines)
        assert [not drawn.startswith(("├", "└", "│", " ")) for drawn in text] == [
            line.branch in forest.roots for line in lines
        ]


def test_the_default_root_goes_first() -> None:
    """Configured and existing, default first, else the current branch, else the first by name."""
    state = parse_state(twig_state(roots=[("b", False), ("x", True), ("a", True)]))
    assert root_names(state, {"a", "b", "c"}, "c") == ("a", "b")
    assert root_names(state, {"c", "d"}, "d") == ("d",)
    assert root_names(state, {"c", "d"}, None) == ("c",)
    assert root_names(state, set(), "d") == ()


def test_what_the_current_branch_stands_on_is_not_hung_under_it() -> None:
    """Without configured roots the tree begins at the current branch, and its parents stay out."""
    state = parse_state(twig_state(dependencies=[("work", "main"), ("main", "base")]))
    forest = grow(state, {"work", "main", "base", "stray"}, "work")
    assert [line.branch for line in walk(forest, forest.roots).lines] == ["work", "stray"]


def test_a_deep_walk_keeps_to_the_depth_asked_for() -> None:
    """What lies deeper is counted, not drawn."""
    names = [f"n{at:05}" for at in range(5000)]
    state = parse_state(
        twig_state(dependencies=list(zip(names[1:], names, strict=False)), roots=[(names[0], True)])
    )
    found = walk(grow(state, names, None), [names[0]], 2)
    assert [line.branch for line in found.lines] == names[:3]
    assert found.hidden == 4997


def test_a_wide_character_counts_for_two_columns() -> None:
    """Columns stay aligned after names in other scripts."""
    forest = grow(parse_state(twig_state(roots=[("main", True)])), {"main", "日本", "ab"}, None)
    lines = walk(forest, forest.roots).lines
    text = render([(line, Labels(pr_number=1)) for line in lines], "columns").splitlines()
    assert text == [
        "main                  [PR#1]",
        "├── ab                [PR#1]",
        "└── 日本              [PR#1]",
    ]

"""twig's state of one repository: which branches belong to which issue, pull request, parent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from trunkline_branch_context.json_file import JsonFiles, wrong_shape
from trunkline_branch_context.place import Place
from trunkline_shared.clock import Clock

STATE_PATH = ".twig/state.json"
VERSION = 1


class _Recorded(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    created_at: str | None = None


def _blank_as_none(value: object) -> object:
    return None if value in ("", 0) else value


Number = Annotated[int, Field(ge=1)]


class TrackedBranch(_Recorded):
    """What twig records of one branch."""

    jira_issue: Annotated[str | None, BeforeValidator(_blank_as_none)] = None
    github_pr: Annotated[Number | None, BeforeValidator(_blank_as_none)] = None


class Dependency(_Recorded):
    """`child` is stacked on `parent`."""

    child: str
    parent: str


class RootBranch(_Recorded):
    """A branch that stacks begin at."""

    branch: str
    is_default: bool = False


class TrackedWorktree(_Recorded):
    """A worktree that twig made."""

    name: str
    path: str
    branch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoState:
    """The state with its look-ups, which twig rebuilds on load and never saves.

    `parents` and `children` keep the order of the file. `warnings` say what was not understood.
    """

    branches: Mapping[str, TrackedBranch] = field(default_factory=dict)
    worktrees: Sequence[TrackedWorktree] = ()
    roots: Sequence[RootBranch] = ()
    parents: Mapping[str, Sequence[str]] = field(default_factory=dict)
    children: Mapping[str, Sequence[str]] = field(default_factory=dict)
    by_issue: Mapping[str, Sequence[str]] = field(default_factory=dict)
    by_pull_request: Mapping[int, Sequence[str]] = field(default_factory=dict)
    warnings: Sequence[str] = ()

    @property
    def names(self) -> frozenset[str]:
        """Every branch that the state speaks of."""
        roots = (root.branch for root in self.roots)
        return frozenset((*self.branches, *self.parents, *self.children, *roots))

    def parent_of(self, branch: str) -> str | None:
        """Return the primary parent: the first one recorded."""
        return next(iter(self.parents.get(branch, ())), None)


EMPTY = RepoState()


class StateReader:
    """Reads the state of a working tree; no file is an empty state."""

    def __init__(self, clock: Clock) -> None:
        self._files = JsonFiles(parse_state, STATE_PATH, clock)

    async def read(self, place: Place) -> RepoState:
        """Return the state found in the worktree, else in the main one.

        Raises NoTwigState.
        """
        for path in state_paths(place):
            state = await self._files.read(path)
            if state is not None:
                return state
        return EMPTY


def state_paths(place: Place) -> list[Path]:
    """Return where the state may be, in the order in which it is looked for."""
    return [home / STATE_PATH for home in place.state_homes]


def parse_state(content: object) -> RepoState:
    """Return the state in a parsed file, skipping entries that make no sense.

    Raises NoTwigState when it is not an object, or a known part has another shape.
    """
    if not isinstance(content, Mapping):
        raise wrong_shape(STATE_PATH, "the whole file", "an object")
    warnings = list(_version_warnings(content.get("version")))
    branches = _branches(content, warnings)
    dependencies = _entries(content, "dependencies", Dependency, warnings)
    return RepoState(
        branches=branches,
        worktrees=_entries(content, "worktrees", TrackedWorktree, warnings),
        roots=_entries(content, "root_branches", RootBranch, warnings),
        parents=_index((each.child, each.parent) for each in dependencies),
        children=_index((each.parent, each.child) for each in dependencies),
        by_issue=_index((b.jira_issue.upper(), n) for n, b in branches.items() if b.jira_issue),
        by_pull_request=_index((b.github_pr, n) for n, b in branches.items() if b.github_pr),
        warnings=tuple(warnings),
    )


def _version_warnings(version: object) -> Iterator[str]:
    if isinstance(version, int) and version > VERSION:
        yield (
            f"{STATE_PATH} has version {version}; this server knows version {VERSION} "
            "and read what it knows"
        )


RecordedT = TypeVar("RecordedT", bound=_Recorded)


def _branches(content: Mapping[str, object], warnings: list[str]) -> dict[str, TrackedBranch]:
    given = content.get("branches") or {}
    if not isinstance(given, Mapping):
        raise wrong_shape(STATE_PATH, "branches", "an object")
    read = (
        (name, _entry(value, f"branches[{name!r}]", TrackedBranch, warnings))
        for name, value in given.items()
    )
    return {name: value for name, value in read if value is not None}


def _entries(
    content: Mapping[str, object], part: str, kind: type[RecordedT], warnings: list[str]
) -> tuple[RecordedT, ...]:
    given = content.get(part) or []
    if not isinstance(given, list):
        raise wrong_shape(STATE_PATH, part, "a list")
    read = (_entry(value, f"{part}[{at}]", kind, warnings) for at, value in enumerate(given))
    return tuple(value for value in read if value is not None)


def _entry(
    value: object, where: str, kind: type[RecordedT], warnings: list[str]
) -> RecordedT | None:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, e["loc"])) or "it" for e in error.errors())
        warnings.append(f"{STATE_PATH}: {where} was skipped ({fields} makes no sense)")
        return None


KeyT = TypeVar("KeyT")


def _index(pairs: Iterator[tuple[KeyT, str]]) -> dict[KeyT, tuple[str, ...]]:
    index: dict[KeyT, dict[str, None]] = {}
    for key, value in pairs:
        index.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in index.items()}

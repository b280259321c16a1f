"""Which repository a call is about, and whether the mesh may touch it."""

import re
from dataclasses import dataclass, field
from urllib.parse import quote

from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.allowed import AllowedRepositories

_OWNER = re.compile(r"[A-Za-z0-9_-]{1,100}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository's validated name.

    Raises InvalidInput when either part is not a name that GitHub can have given.
    """

    owner: str
    name: str

    def __post_init__(self) -> None:
        if not _OWNER.fullmatch(self.owner):
            raise _not_a_name("owner", self.owner, "letters, digits, '-' and '_'")
        if not _NAME.fullmatch(self.name) or self.name in {".", ".."}:
            raise _not_a_name("repo", self.name, "letters, digits, '.', '-' and '_'")

    @property
    def slug(self) -> str:
        return f"{self.owner}/{self.name}"


def _not_a_name(field: str, value: str, allowed: str) -> InvalidInput:
    problem = f"must consist of 1 to 100 {allowed}"
    return InvalidInput(
        f"{field} {value[:120]!r} is not a name that GitHub gives: it {problem}.",
        hint="Pass owner and repo apart, such as owner='octocat' and repo='hello-world'.",
        details={"field_errors": [{"field": field, "problem": problem, "kind": "name"}]},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Repositories:
    """The default repository and the globs over all that may be touched (none allows any)."""

    default: str = ""
    allowed: AllowedRepositories = field(default_factory=AllowedRepositories)

    def choose(self, owner: str, repo: str) -> Repository:
        """Return the given repository, or the default where `owner` and `repo` are empty.

        Raises InvalidInput when none is known or a name is malformed, BlockedByPolicy when
        TRUNKLINE_ALLOWED_REPOS does not name it.
        """
        default_owner, _, default_name = self.default.partition("/")
        if repo and not owner and "/" in repo:
            owner, _, repo = repo.partition("/")
        same_owner = owner.lower() in {"", default_owner.lower()}
        owner, repo = owner or default_owner, repo or (default_name if same_owner else "")
        if not owner or not repo:
            raise InvalidInput(
                f"{'repo' if owner else 'owner'} is not given and no default is configured.",
                hint="Pass owner and repo, or set TRUNKLINE_GITHUB_REPOSITORY=owner/repo.",
            )
        chosen = Repository(owner, repo)
        self._admit(chosen)
        return chosen

    def _admit(self, repository: Repository) -> None:
        if not self.allowed.admit(repository.owner, repository.name):
            raise self.allowed.refusal(repository.owner, repository.name)


def path(template: str, repository: Repository, **values: str | int) -> str:
    """Fill a path template; each value is percent-encoded and cannot leave its segment.

    Raises InvalidInput for a value that percent-encoding cannot hold there.
    """
    parts = {"owner": repository.owner, "repo": repository.name, **values}
    return template.format_map({key: _segment(key, str(value)) for key, value in parts.items()})


def _segment(key: str, value: str) -> str:
    if value in {"", ".", ".."}:
        raise InvalidInput(f"{key} {value!r} cannot be part of an address.")
    return quote(value, safe="", errors="surrogatepass")

"""No call leaves the repositories that the mesh may touch, whoever makes it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from itertools import product

from mcp_types.jsonrpc import INVALID_REQUEST

from trunkline_router.binding import arguments_of
from trunkline_router.context import Context, key_of
from trunkline_router.model import Call
from trunkline_router.wire.refusal import Refused
from trunkline_shared.github.allowed import AllowedRepositories

_REMEMBERED = 256
_IN_FULL = "repository"
_PARTS = ("owner", "repo")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryGuard:
    """Holds calls and contexts to TRUNKLINE_ALLOWED_REPOS.

    What a call does not name, its server resolves, and the mesh's own check that again.
    """

    allowed: AllowedRepositories = field(default_factory=AllowedRepositories)

    def check(self, call: Call) -> None:
        """Raise BlockedByPolicy for a call that names a repository outside."""
        if not self.allowed:
            return
        for owner, name in _named(arguments_of(call)):
            if not _admits(self.allowed, owner, name):
                raise self.allowed.refusal(owner, name)

    def admits(self, owner: str, name: str) -> bool:
        """Say whether a repository is inside; an empty part stands for any."""
        return not self.allowed or _admits(self.allowed, owner, name)

    def refused(self, context: Context) -> str:
        """Return why a context cannot be, or nothing."""
        if not self.allowed or not context:
            return ""
        owner, name = (str(context.get(key) or "") for key in _PARTS)
        if _admits(self.allowed, owner, name):
            return ""
        refusal = self.allowed.refusal(owner, name)
        return f"{refusal.message} {refusal.hint}"

    def check_context(self, context: Context) -> None:
        """Raise Refused, HTTP 403, for a context that is bound to a repository outside."""
        if reason := self.refused(context):
            data = {"reason": "repository_not_allowed"}
            raise Refused(INVALID_REQUEST, reason, data, status=HTTPStatus.FORBIDDEN)


@lru_cache(maxsize=_REMEMBERED)
def _admits(allowed: AllowedRepositories, owner: str, name: str) -> bool:
    return allowed.admit(owner, name)


def _named(arguments: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    """Yield each repository that arguments name, as owner and name; either may be empty."""
    owners, names = [], []
    for argument, value in arguments.items():
        if not isinstance(value, str) or not value:
            continue
        key = "repo" if argument.casefold() == _IN_FULL else key_of(argument)
        if key == "repo" and "/" in value:
            yield _apart(value)
        elif key == "repo":
            names.append(value)
        elif key == "owner":
            owners.append(value)
    if owners or names:
        # However an argument is spelled, and however often: none of them may lead elsewhere.
        yield from product(owners or [""], names or [""])


def _apart(slug: str) -> tuple[str, str]:
    owner, _, name = slug.partition("/")
    return owner, name

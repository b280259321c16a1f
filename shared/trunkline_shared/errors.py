"""The closed set of failures.

    TrunklineError
    ├── CallerError            the model reads it and adapts
    │   ├── InvalidInput           INVALID_INPUT
    │   ├── NotFound               NOT_FOUND
    │   ├── BranchNotFound         BRANCH_NOT_FOUND
    │   ├── ToolNotEnabled         TOOL_NOT_ENABLED
    │   ├── LineNotInDiff          LINE_NOT_IN_DIFF
    │   ├── Conflict               CONFLICT
    │   ├── TooLarge               TOO_LARGE
    │   ├── NoRepository           NO_REPOSITORY
    │   ├── NoTwigState            NO_TWIG_STATE
    │   ├── Unsupported            UNSUPPORTED
    │   ├── BlockedByPolicy        BLOCKED_BY_POLICY
    │   └── Cancelled              CANCELLED
    ├── CredentialError        a person has to mend a credential
    │   ├── AuthError              AUTH_ERROR
    │   ├── CredentialsMissing     CREDENTIALS_MISSING
    │   ├── TokenExpired           TOKEN_EXPIRED
    │   └── PermissionDenied       PERMISSION_DENIED
    ├── UpstreamError          the vendor, or the way to it
    │   ├── QuotaExceeded          QUOTA_EXCEEDED
    │   ├── RateLimited            RATE_LIMITED
    │   ├── NetworkError           NETWORK_ERROR
    │   ├── UpstreamTimeout        TIMEOUT
    │   └── UpstreamUnavailable    UPSTREAM_UNAVAILABLE
    ├── MeshError              the mesh protects itself
    │   ├── CircuitOpen            CIRCUIT_OPEN
    │   └── Overloaded             OVERLOADED
    └── InternalError              INTERNAL_ERROR: a bug of ours, found again by its id

A tool raises one of these and nothing else; `trunkline_shared.wire` alone turns them into answers.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

Details = Mapping[str, object]
FAILED, BY_AGENT = "failed", "agent"
"""`details.failed` says who did when it is not the server that tells of it: an agent, its model."""


class TrunklineError(Exception):
    """A failure with a code from the closed set.

    `retry_after` is in seconds. `retryable` says whether the same call may succeed later;
    an instance may differ from its class (a write that timed out must not be repeated blindly).
    """

    code: ClassVar[str]
    retryable_by_default: ClassVar[bool] = False
    aliases: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        retryable: bool | None = None,
        retry_after: float | None = None,
        details: Details | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.retryable = self.retryable_by_default if retryable is None else retryable
        self.retry_after = retry_after
        self.details: Details = dict(details or {})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r})"


class CallerError(TrunklineError):
    """The caller can mend it by asking differently."""


class InvalidInput(CallerError):
    """An argument is missing, malformed or refused by the vendor; `details` says which."""

    code = "INVALID_INPUT"


class NotFound(CallerError):
    """The thing does not exist, or the credential may not see it."""

    code = "NOT_FOUND"


class BranchNotFound(CallerError):
    """The branch does not exist, here or on the remote."""

    code = "BRANCH_NOT_FOUND"


class ToolNotEnabled(CallerError):
    """The Basecamp project has that tool switched off, or does not have it."""

    code = "TOOL_NOT_ENABLED"


class LineNotInDiff(CallerError):
    """The line is not part of the pull request's diff; `details` has the nearest that is."""

    code = "LINE_NOT_IN_DIFF"


class Conflict(CallerError):
    """Somebody else changed it first, or it exists already."""

    code = "CONFLICT"


class TooLarge(CallerError):
    """The text is longer than the vendor takes, or the answer larger than we hold."""

    code = "TOO_LARGE"


class NoRepository(CallerError):
    """The server does not stand in a usable git repository."""

    code = "NO_REPOSITORY"


class NoTwigState(CallerError):
    """The twig state file cannot be read."""

    code = "NO_TWIG_STATE"


class Unsupported(CallerError):
    """This vendor, edition or configuration does not offer it."""

    code = "UNSUPPORTED"


class BlockedByPolicy(CallerError):
    """The mesh's rules forbid it: a secret in the text, a repository not allowed, a write off."""

    code = "BLOCKED_BY_POLICY"


class Cancelled(CallerError):
    """The caller went away or took the call back."""

    code = "CANCELLED"


class CredentialError(TrunklineError):
    """Somebody has to give the mesh a working credential."""


class AuthError(CredentialError):
    """The vendor refused the credential."""

    code = "AUTH_ERROR"


class CredentialsMissing(CredentialError):
    """No credential is configured; the hint names the variable."""

    code = "CREDENTIALS_MISSING"


class TokenExpired(CredentialError):
    """The credential has expired and could not be renewed."""

    code = "TOKEN_EXPIRED"


class PermissionDenied(CredentialError):
    """The credential is valid and not enough."""

    code = "PERMISSION_DENIED"


class UpstreamError(TrunklineError):
    """The vendor's service, or the network before it, did not do its part."""


class QuotaExceeded(UpstreamError):
    """A plan's limit is reached; waiting does not help."""

    code = "QUOTA_EXCEEDED"


class RateLimited(UpstreamError):
    """Too many requests; `retry_after` says when to come back."""

    code = "RATE_LIMITED"
    retryable_by_default = True
    aliases = ("RATE_LIMIT",)


class NetworkError(UpstreamError):
    """The vendor or a server of the mesh could not be reached."""

    code = "NETWORK_ERROR"
    retryable_by_default = True


class UpstreamTimeout(UpstreamError):
    """No answer in time; a write may have happened when `details.may_have_happened` is true."""

    code = "TIMEOUT"
    retryable_by_default = True


class UpstreamUnavailable(UpstreamError):
    """The vendor or a server of the mesh failed to do its part."""

    code = "UPSTREAM_UNAVAILABLE"
    retryable_by_default = True


class MeshError(TrunklineError):
    """The mesh refuses in order to stay well."""

    retryable_by_default = True


class CircuitOpen(MeshError):
    """The server failed repeatedly and is left alone until `retry_after`."""

    code = "CIRCUIT_OPEN"


class Overloaded(MeshError):
    """Too many calls are waiting for this server."""

    code = "OVERLOADED"


class InternalError(TrunklineError):
    """A bug of ours; `details.id` stands in the log beside the traceback."""

    code = "INTERNAL_ERROR"


def _concrete(error: type[TrunklineError]) -> Iterator[type[TrunklineError]]:
    if "code" in vars(error):
        yield error
    for child in error.__subclasses__():
        yield from _concrete(child)


BY_CODE: Mapping[str, type[TrunklineError]] = {e.code: e for e in _concrete(TrunklineError)}

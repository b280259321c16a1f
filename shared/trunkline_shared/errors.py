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
    code = "INVALID_INPUT"


class NotFound(CallerError):
    code = "NOT_FOUND"


class BranchNotFound(CallerError):
    code = "BRANCH_NOT_FOUND"


class ToolNotEnabled(CallerError):
    code = "TOOL_NOT_ENABLED"


class LineNotInDiff(CallerError):
    code = "LINE_NOT_IN_DIFF"


class Conflict(CallerError):
    code = "CONFLICT"


class TooLarge(CallerError):
    code = "TOO_LARGE"


class NoRepository(CallerError):
    code = "NO_REPOSITORY"


class NoTwigState(CallerError):
    code = "NO_TWIG_STATE"


class Unsupported(CallerError):
    code = "UNSUPPORTED"


class BlockedByPolicy(CallerError):
    code = "BLOCKED_BY_POLICY"


class Cancelled(CallerError):
    code = "CANCELLED"


class CredentialError(TrunklineError):
    """Somebody has to give the mesh a working credential."""


class AuthError(CredentialError):
    code = "AUTH_ERROR"


class CredentialsMissing(CredentialError):
    code = "CREDENTIALS_MISSING"


class TokenExpired(CredentialError):
    code = "TOKEN_EXPIRED"


class PermissionDenied(CredentialError):
    code = "PERMISSION_DENIED"


class UpstreamError(TrunklineError):
    """The vendor's service, or the network before it, did not do its part."""


class QuotaExceeded(UpstreamError):
    code = "QUOTA_EXCEEDED"


class RateLimited(UpstreamError):
    code = "RATE_LIMITED"
    retryable_by_default = True
    aliases = ("RATE_LIMIT",)


class NetworkError(UpstreamError):
    code = "NETWORK_ERROR"
    retryable_by_default = True


class UpstreamTimeout(UpstreamError):
    code = "TIMEOUT"
    retryable_by_default = True


class UpstreamUnavailable(UpstreamError):
    code = "UPSTREAM_UNAVAILABLE"
    retryable_by_default = True


class MeshError(TrunklineError):
    """The mesh refuses in order to stay well."""

    retryable_by_default = True


class CircuitOpen(MeshError):
    code = "CIRCUIT_OPEN"


class Overloaded(MeshError):
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

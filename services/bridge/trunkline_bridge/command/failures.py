"""What a run that came to no answer means to whoever asked for it."""

import re
from typing import Final

from trunkline_bridge.command.transcript import Transcript
from trunkline_bridge.query.runner import Query
from trunkline_shared.errors import (
    AuthError,
    CredentialsMissing,
    InvalidInput,
    NetworkError,
    RateLimited,
    TooLarge,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.secrets import redact
from trunkline_shared.untrusted import sanitize

CREDENTIALS: Final = "ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token`)"
_SHOWN: Final = 300
_UNKNOWN_OPTION: Final = re.compile(r"unknown option '?(--[a-z-]+)")
_ADDRESS: Final = re.compile(r"\b(?:https?://\S+|(?:[\w-]+\.)*[\w-]+:\d{2,5}\b|\d+\.\d+\.\d+\.\d+)")
_PLACE: Final = re.compile(r"(?<![\w.])/(?:[\w.@+-]+/)+[\w.@+-]*")


def out_of_time(query: Query, so_far: Transcript) -> TrunklineError:
    """Return the error of a run that took longer than it may."""
    return UpstreamTimeout(
        f"The agent did not finish within {query.timeout_s:g} s ({so_far.turns} turns).",
        hint="Give a longer options.timeout, or ask for less.",
        details=_noted(so_far),
    )


def flooded(so_far: Transcript) -> TrunklineError:
    """Return the error of a command that wrote more than it may."""
    return TooLarge(
        "The agent wrote more than a run may; it was ended.",
        hint="Ask for less at a time.",
        details=_noted(so_far),
    )


def not_started(word: str, error: OSError) -> TrunklineError:
    """Return the error of a command that could not be started."""
    return Unsupported(f"The runner {word!r} could not be started: {error.strerror}.")


def unanswered(
    query: Query, so_far: Transcript, code: int | None, complaint: str
) -> TrunklineError:
    """Return the error of a run that has ended with a failure, or without a result at all."""
    result = so_far.result
    if result is None:
        return _broken_off(so_far, code, complaint)
    if result.subtype == "error_max_turns":
        problem = {"field": "options.maxTurns", "problem": "was too few", "kind": "max_turns"}
        return InvalidInput(
            f"The agent used up its {query.max_turns} turns before it had an answer.",
            hint="Give a higher options.maxTurns, or ask for less.",
            details={**_noted(so_far), "reason": "max_turns", "field_errors": [problem]},
        )
    if result.terminal_reason == "api_error" or so_far.trouble is not None:
        return _of_model(so_far, result.api_error_status, shown(result.result or ""))
    return UpstreamUnavailable(
        f"The agent gave up: {shown(result.result or result.subtype)}",
        retryable=False,
        details=_noted(so_far),
    )


def shown(text: str) -> str:
    """Return the end of what a program complains of, without secrets, addresses and paths."""
    plain = _ADDRESS.sub("(address)", redact(sanitize(text)))
    return " ".join(_PLACE.sub("(path)", plain).split())[-_SHOWN:]


def _of_model(so_far: Transcript, status: int | None, told: str) -> TrunklineError:
    details = {**_noted(so_far), "reason": "model", "http_status": status}
    if so_far.trouble == "authentication_failed" and status is None:
        return CredentialsMissing(
            "The agent has no credential for its model.",
            hint=f"Set {CREDENTIALS}, where the bridge runs.",
            details=details,
        )
    match status:
        case 401 | 403:
            return AuthError(
                f"The model's API refused the agent's credential (HTTP {status}).",
                hint=f"Check {CREDENTIALS}, where the bridge runs.",
                details=details,
            )
        case 429:
            return RateLimited(
                "The model's API is asked too often.", retry_after=60, details=details
            )
        case None:
            return NetworkError("The agent could not reach its model.", details=details)
        case _ if status < 500:  # noqa: PLR2004 - HTTP's own border
            return InvalidInput(f"The model's API refused the request: {told}", details=details)
        case _:
            return UpstreamUnavailable(f"The model's API failed (HTTP {status}).", details=details)


def _broken_off(so_far: Transcript, code: int | None, complaint: str) -> TrunklineError:
    lacking = _UNKNOWN_OPTION.search(complaint)
    if lacking is not None:
        return Unsupported(
            f"The installed agent does not know {lacking[1]}.",
            hint="Install a newer version of it.",
        )
    said = f": {shown(complaint)}" if complaint.strip() else "."
    return UpstreamUnavailable(
        f"The agent ended without a result (exit code {code}){said}",
        details=_noted(so_far),
    )


def _noted(so_far: Transcript) -> dict[str, object]:
    calls = [call.model_dump(exclude_none=True) for call in so_far.all_calls]
    return {"turns": so_far.turns, "tool_calls": calls}

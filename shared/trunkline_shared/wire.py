"""Failures as answers and answers as failures: the one mapping, both ways."""

import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import TypeGuard

import orjson
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from trunkline_shared.errors import BY_CODE, InternalError, InvalidInput, TrunklineError

log = logging.getLogger(__name__)

MESSAGE_CAP = 500


def payload(error: TrunklineError) -> dict[str, object]:
    """Return the JSON object that an agent reads."""
    details = dict(error.details)
    if error.aliases:
        details["aliases"] = list(error.aliases)
    body: dict[str, object] = {
        "isError": True,
        "error_code": error.code,
        "message": error.message[:MESSAGE_CAP],
        "retryable": error.retryable,
        "retry_after": error.retry_after,
        "retry_after_seconds": error.retry_after,
    }
    if error.hint:
        body["hint"] = error.hint
    return body | {"details": details}


def to_text(error: TrunklineError) -> str:
    """Return the payload as the one text block of a result."""
    return orjson.dumps(payload(error), default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def to_result(error: TrunklineError) -> dict[str, object]:
    """Return a `CallToolResult` as it stands on the wire: no structured content, by design.

    One widespread client checks structured content against the output schema even when
    `isError` is set, and then shows the agent its own complaint in place of ours.
    """
    return {"content": [{"type": "text", "text": to_text(error)}], "isError": True}


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)


def from_text(text: str | bytes) -> TrunklineError | None:
    """Return the failure that `to_text` wrote, or None when it is anything else."""
    try:
        return from_payload(orjson.loads(text))
    except orjson.JSONDecodeError:
        return None


def from_payload(body: object) -> TrunklineError | None:
    """Return the failure whose `payload` this is, or None when it is anything else."""
    if not _is_object(body) or body.get("isError") is not True:
        return None
    code = body.get("error_code")
    error_type = BY_CODE.get(code) if isinstance(code, str) else None
    if error_type is None:
        return None
    retry_after, hint, details = body.get("retry_after"), body.get("hint"), body.get("details")
    kept = dict(details) if _is_object(details) else {}
    if error_type.aliases:
        kept.pop("aliases", None)
    return error_type(
        str(body.get("message", "")),
        hint=hint if isinstance(hint, str) else None,
        retryable=body.get("retryable") is True,
        retry_after=retry_after if isinstance(retry_after, int | float) else None,
        details=kept,
    )


def from_result(result: Mapping[str, object]) -> TrunklineError | None:
    """Return the failure inside a `CallToolResult`, or None when it is a success or foreign."""
    if result.get("isError") is not True:
        return None
    content = result.get("content")
    if not isinstance(content, Sequence) or not content or not _is_object(content[0]):
        return None
    text = content[0].get("text")
    return from_text(text) if isinstance(text, str) else None


def unexpected(error: BaseException, *, doing: str) -> InternalError:
    """Turn a bug into an answer without its text, and log it under the same id."""
    incident = uuid.uuid4().hex[:12]
    log.error("unexpected failure while %s (id %s)", doing, incident, exc_info=error)
    return InternalError(
        f"Trunkline failed unexpectedly while {doing}; its log tells more under id {incident}.",
        details={"id": incident},
    )


def invalid_arguments(tool: str, error: ValidationError) -> InvalidInput:
    """Turn pydantic's verdict on a tool's arguments into field errors an agent can act on."""
    fields = [_field_error(e) for e in error.errors(include_url=False, include_context=True)]
    first = fields[0]
    return InvalidInput(
        f"{tool}: argument {first['field']!r} {first['problem']}.",
        hint="Correct the arguments named in details.field_errors and call again.",
        details={"field_errors": fields},
    )


_PROBLEMS = {
    "missing": "is required",
    "int_type": "must be an integer",
    "int_parsing": "must be an integer",
    "int_from_float": "must be an integer, without a fraction",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "extra_forbidden": "is not an argument of this tool",
    "string_pattern_mismatch": "must match {pattern}",
    "finite_number": "must be a finite number",
    "datetime_from_date_parsing": "must be an RFC 3339 date and time",
    "datetime_parsing": "must be an RFC 3339 date and time",
    "datetime_type": "must be an RFC 3339 date and time",
    "date_from_datetime_parsing": "must be a date such as 2026-01-31",
    "date_from_datetime_inexact": "must be a date such as 2026-01-31, without a time",
    "date_parsing": "must be a date such as 2026-01-31",
    "date_type": "must be a date such as 2026-01-31",
    "timezone_aware": "must be a date and time with a time zone",
    "value_error": "{error}",
}


def _field_error(error: ErrorDetails) -> dict[str, str]:
    template = _PROBLEMS.get(error["type"], "has an unacceptable value")
    context = {key: str(value) for key, value in error.get("ctx", {}).items()}
    field = ".".join(str(part) for part in error["loc"]) or "(arguments)"
    return {"field": field, "problem": template.format_map(context), "kind": error["type"]}

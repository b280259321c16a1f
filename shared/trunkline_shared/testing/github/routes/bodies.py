"""The text of a comment as a request brings it."""

from trunkline_shared.testing.github.call import Call, Refusal

LONGEST = 65_536


def body_of(call: Call, resource: str) -> str:
    """Return the text, or refuse it as GitHub does: missing, blank, too long (characters)."""
    body = call.body.get("body")
    if not isinstance(body, str):
        raise _invalid(resource, "missing_field", "body is required and has to be a string")
    if not body.strip():
        raise _invalid(resource, "unprocessable", "Body cannot be blank")
    if len(body) > LONGEST:
        raise _invalid(
            resource, "unprocessable", f"Body is too long (maximum is {LONGEST} characters)"
        )
    return body


def _invalid(resource: str, code: str, message: str) -> Refusal:
    error = {"resource": resource, "code": code, "field": "data", "message": message}
    return Refusal(422, "Validation Failed", errors=[error])

"""What the body of a refusal says, to whoever asked."""

import json


def advice_of(body: bytes) -> str:
    """Return what a refusal says is wrong and how to mend it; empty where it says no such thing."""
    try:
        told = json.loads(body)
        return f"{told['error']} {told['fix']}"
    except (ValueError, LookupError, TypeError):
        return ""


def servers_of(body: bytes) -> list[str] | None:
    """Return the servers that a refusal says there are, None where it is about something else."""
    try:
        named = json.loads(body)["servers"]
    except (ValueError, LookupError, TypeError):
        return None
    return named if isinstance(named, list) else None


def is_told(body: bytes) -> bool:
    """Say whether a refusal is a page's text."""
    try:
        return isinstance(json.loads(body)["error"], str)
    except (ValueError, LookupError, TypeError):
        return False


def reason_of(body: bytes) -> str:
    """Return what a refusal says: a page's text, or a JSON-RPC error's message."""
    try:
        error = json.loads(body)["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    except (ValueError, LookupError, TypeError):
        return "it does not say why."

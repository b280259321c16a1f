"""What a legacy client can, in the words of 2026-07-28, and whether it can do what is asked."""

from collections.abc import Mapping

import orjson

from trunkline_router.model import Json

_LARGEST = 1024
_TASKS = "io.modelcontextprotocol/tasks"
_NAMED = ("name", "title", "version")
_LONGEST_NAME = 128
_WITH_MODES = "2025-11-25"


def capabilities_of(params: Mapping[str, object]) -> Json:
    """Return what `initialize` declares, as far as a modern server can make use of it."""
    declared = _object(params.get("capabilities"))
    known: Json = {}
    if isinstance(elicitation := declared.get("elicitation"), dict):
        # Before 2025-11-25 there was nothing but forms, and nothing to say about them.
        modes: Json = {
            mode: {} for mode in ("form", "url") if isinstance(elicitation.get(mode), dict)
        }
        known["elicitation"] = modes or {"form": {}}
    if isinstance(sampling := declared.get("sampling"), dict):
        known["sampling"] = {key: {} for key in ("tools", "context") if key in sampling}
    if isinstance(declared.get("roots"), dict):
        known["roots"] = {}
    for key in ("experimental", "extensions"):
        given = dict(_object(declared.get(key)))
        # Tasks of 2026-07-28 are answered in ways that no older revision has.
        given.pop(_TASKS, None)
        if given and _is_small(known | {key: given}):
            known[key] = given
    return known


def _is_small(declared: Json) -> bool:
    try:
        return len(orjson.dumps(declared)) <= _LARGEST
    except TypeError:
        # Nested more deeply than can be written.
        return False


def client_of(params: Mapping[str, object]) -> Json:
    """Return who the client says it is."""
    info = _object(params.get("clientInfo"))
    named = {key: info[key] for key in _NAMED if isinstance(info.get(key), str)}
    cut: Json = {key: str(value)[:_LONGEST_NAME] for key, value in named.items()}
    return {"name": "", "version": ""} | cut


def missing(asked: Json, capabilities: Mapping[str, object]) -> str | None:
    """Return the capability that a request to the client lacks, None when it lacks none."""
    method, params = asked.get("method"), _object(asked.get("params"))
    if method == "elicitation/create":
        mode = "url" if params.get("mode") == "url" else "form"
        return None if mode in _object(capabilities.get("elicitation")) else f"elicitation.{mode}"
    if method == "sampling/createMessage":
        return _missing_of_sampling(params, capabilities)
    if method == "roots/list":
        return None if "roots" in capabilities else "roots"
    return str(method)[:_LONGEST_NAME]


def _missing_of_sampling(params: Json, capabilities: Mapping[str, object]) -> str | None:
    sampling = capabilities.get("sampling")
    if not isinstance(sampling, dict):
        return "sampling"
    uses_tools = params.get("tools") is not None or params.get("toolChoice") is not None
    return "sampling.tools" if uses_tools and "tools" not in sampling else None


def worded(asked: Json, question: str, version: str) -> Json:
    """Return a server's request as a client of an older revision reads it."""
    given = {key: value for key, value in _object(asked.get("params")).items() if key != "_meta"}
    if asked.get("method") == "elicitation/create":
        if given.get("mode") == "url":
            given.setdefault("elicitationId", question)
        elif version < _WITH_MODES:
            given.pop("mode", None)
    told: Json = {"jsonrpc": "2.0", "id": question, "method": asked["method"]}
    return told | ({"params": given} if given else {})


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}

"""From the words of 2026-07-28 to those of older revisions, and back. No I/O."""

import hashlib
from dataclasses import replace

from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types.jsonrpc import INVALID_PARAMS
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from trunkline_router.adapters.links.encoding import encoded
from trunkline_router.adapters.outgoing import OWN_PREFIX
from trunkline_router.link import Post, Reply
from trunkline_router.model import Json, JsonRpcError
from trunkline_shared import meta

RETRIED = frozenset({"inputResponses", "requestState"})
"""What a retry adds to the params of its request."""
_MODERN_META = frozenset({
    meta.PROTOCOL_VERSION,
    meta.CLIENT_CAPABILITIES,
    meta.CLIENT_INFO,
    meta.LOG_LEVEL,
    "progressToken",
})
_LISTS = frozenset({
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
})
_NOT_KEPT: Json = {"ttlMs": 0, "cacheScope": "private"}
_NOT_FOUND = -32002


def meta_of(params: Json) -> Json:
    """Return the `_meta` of params, empty where they have none."""
    given = params.get("_meta")
    return given if isinstance(given, dict) else {}


def asked_capabilities(params: Json) -> Json:
    """Return what a server may ask of this request's client, as `initialize` says it."""
    given = meta_of(params).get(meta.CLIENT_CAPABILITIES)
    declared = given if isinstance(given, dict) else {}
    kept: Json = {}
    for name in ("elicitation", "sampling", "roots"):
        offered = declared.get(name)
        if isinstance(offered, dict):
            # No client of ours tells a session that its roots have changed.
            kept[name] = {key: value for key, value in offered.items() if key != "listChanged"}
    return kept


def legacy_params(params: Json, number: int, *, progress: bool) -> Json:
    """Return the params as older revisions have them; progress is reported under our own id."""
    kept = {key: value for key, value in params.items() if key != "_meta" and key not in RETRIED}
    sent = {
        key: value
        for key, value in meta_of(params).items()
        if key not in _MODERN_META and not key.startswith(OWN_PREFIX)
    }
    if progress:
        sent["progressToken"] = number
    return kept | {"_meta": sent} if sent else kept


def modern_params(params: Json, number: int, *, progress: bool) -> Json:
    """Return the params as they are, but for the progress token: callers may have the same one."""
    if not progress:
        return params
    return params | {"_meta": meta_of(params) | {"progressToken": number}}


def modern_reply(post: Post, reply: Reply) -> Reply:
    """Complete an answer of an older revision to one of 2026-07-28."""
    if reply.error is not None:
        return Reply(error=_modern_error(post, reply.error))
    result = reply.result or {}
    hints = _NOT_KEPT if post.method in _LISTS else {}
    return Reply(result={"resultType": "complete"} | hints | result)


def _modern_error(post: Post, error: JsonRpcError) -> JsonRpcError:
    if error.code == _NOT_FOUND and post.method == "resources/read":
        data = error.data if isinstance(error.data, dict) else {}
        uri = {"uri": post.params.get("uri")}
        error = replace(error, code=INVALID_PARAMS, data=uri | data)
    if error.status in {200, 0}:
        return replace(error, status=ERROR_CODE_HTTP_STATUS.get(error.code, 200))
    return error


def discovered(initialized: Json) -> Json:
    """Return the answer to `server/discover` that a server's `initialize` stands for."""
    capabilities = initialized.get("capabilities")
    found: Json = {
        "resultType": "complete",
        "supportedVersions": list(MODERN_PROTOCOL_VERSIONS),
        "capabilities": capabilities if isinstance(capabilities, dict) else {},
        **_NOT_KEPT,
    }
    if isinstance(initialized.get("instructions"), str):
        found["instructions"] = initialized["instructions"]
    if isinstance(initialized.get("serverInfo"), dict):
        found["_meta"] = {meta.SERVER_INFO: initialized["serverInfo"]}
    return found


def digest_of(post: Post) -> str:
    """Return what identifies a request over its retries: who asks whom for what, with what.

    Raises InvalidInput when its arguments are nested too deeply.
    """
    asked = {
        key: value for key, value in post.params.items() if key != "_meta" and key not in RETRIED
    }
    whole = [post.server, post.partition, post.method, post.name, asked]
    return hashlib.sha256(encoded(whole, canonical=True)).hexdigest()

"""What the attributes of spans are called: the conventions' names, and our own."""

from typing import Final

METHOD: Final = "mcp.method.name"
VERSION: Final = "mcp.protocol.version"
RESOURCE: Final = "mcp.resource.uri"
OPERATION: Final = "gen_ai.operation.name"
TOOL: Final = "gen_ai.tool.name"
PROMPT: Final = "gen_ai.prompt.name"
ERROR: Final = "error.type"
STATUS: Final = "rpc.response.status_code"
"""Towards a client not every one of these is an error."""

SERVER: Final = "trunkline.server"
AGENT: Final = "trunkline.agent"
SOURCE: Final = "trunkline.source"
AGE_MS: Final = "trunkline.age_ms"
DEPTH: Final = "trunkline.depth"
DEFAULTED: Final = "trunkline.defaulted"
ERROR_CODE: Final = "trunkline.error_code"
WAITS: Final = "trunkline.waits"
BREAKER: Final = "trunkline.breaker"
QUEUED_MS: Final = "trunkline.queued_ms"
QUOTA_LEFT: Final = "trunkline.quota.remaining"
TOKENS_IN: Final = "trunkline.tokens.in"
TOKENS_OUT: Final = "trunkline.tokens.out"
TOKENS_SAVED: Final = "trunkline.tokens.saved"
"""All of ours stand on the span of the client's request."""
SAVED_BY: Final = {
    "fields": "trunkline.tokens.saved_fields",
    "truncation": "trunkline.tokens.saved_truncation",
    "logs": "trunkline.tokens.saved_logs",
}
"""What is in the saved tokens, by why an agent need not read them."""

OTHER: Final = "_OTHER"
"""The conventions' word for what would be too many values, or is not known."""

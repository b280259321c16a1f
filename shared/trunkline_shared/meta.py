"""Keys of `_meta` entries: the protocol's own and ours."""

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"

POLICY = "dev.trunkline/policy"
REUSE = "dev.trunkline/reuse"
CALL = "dev.trunkline/call"
DEADLINE_MS = "dev.trunkline/deadline_ms"
BIND = "dev.trunkline/bind"
DELEGATION = "dev.trunkline/delegation"

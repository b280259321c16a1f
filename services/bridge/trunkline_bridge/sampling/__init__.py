"""The runner that has the caller's own model think: MCP sampling with tools."""

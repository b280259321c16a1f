"""HTTP/1.1 by hand, for what nearly every request is: a small POST to an MCP endpoint."""

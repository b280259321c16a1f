"""The git checkout and its twig state as MCP tools."""

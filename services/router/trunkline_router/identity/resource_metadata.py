"""What an OAuth client has to know of this router as a protected resource, RFC 9728."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

WELL_KNOWN = "/.well-known/oauth-protected-resource"
_ENDPOINT = re.compile(r"/mcp|/servers/[A-Za-z][A-Za-z0-9_]{0,31}/mcp")
_WHOLE = "/mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceMetadata:
    """The router as its clients' authorization server knows it.

    `base` is the router's public URL without a slash at its end; `scopes` are those of the issuer
    that let a client use tools.
    """

    base: str
    issuer: str
    scopes: tuple[str, ...]

    def document(self, path: str) -> Mapping[str, object] | None:
        """Return the metadata at a well-known path; None where no endpoint is meant.

        The path of an endpoint follows the well-known one; without, `/mcp` is meant.
        """
        endpoint = path.removeprefix(WELL_KNOWN).removesuffix("/") or _WHOLE
        if not _ENDPOINT.fullmatch(endpoint):
            return None
        document: dict[str, object] = {
            "resource": self.base + endpoint,
            "authorization_servers": [self.issuer],
            "bearer_methods_supported": ["header"],
            "resource_name": "Trunkline",
        }
        return document | ({"scopes_supported": list(self.scopes)} if self.scopes else {})

    def url_for(self, path: str) -> str:
        """Return where the metadata of the endpoint at `path` is; that of `/mcp` for any other."""
        return f"{self.base}{WELL_KNOWN}{path if _ENDPOINT.fullmatch(path) else _WHOLE}"

"""Where GitHub's API is: github.com, GitHub Enterprise Server or data residency (ghe.com)."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from trunkline_shared.exchange import Request
from trunkline_shared.vendor.address import BaseUrl

DEFAULT_VERSION = "2022-11-28"
_SERVER_PATH = "/api/v3"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def normalised(url: str) -> str:
    """Return the API's base URL for the address of a GitHub, without a trailing slash.

    `github.com`, `https://SUB.ghe.com` and `https://HOST` (Enterprise Server) are completed to
    their API addresses; one that is an API address already stays. Raises ValueError.
    """
    parts = urlsplit(url if "://" in url else f"https://{url}")
    host = (parts.hostname or "").lower()
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        raise ValueError("must be the URL of a GitHub API, such as https://api.github.com")
    if parts.username or parts.password:
        raise ValueError("must not hold a user name or password; set GITHUB_TOKEN")
    origin = f"{parts.scheme}://{_authority(host, parts.port)}"
    path = parts.path.rstrip("/")
    if host in {"github.com", "www.github.com", "api.github.com"}:
        return "https://api.github.com"
    if host.endswith(".ghe.com"):
        return origin if host.startswith("api.") else f"{parts.scheme}://api.{host}"
    return origin + (path or ("" if host in _LOOPBACK else _SERVER_PATH))


def _authority(host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port is None else f"{name}:{port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """One GitHub API: its base URL and the version header it is asked with (none when empty)."""

    base: str
    version: str

    @classmethod
    def at(cls, url: str, version: str = "") -> "Api":
        base = normalised(url)
        return cls(base=base, version=version or ("" if is_server(base) else DEFAULT_VERSION))

    @property
    def host(self) -> str:
        return urlsplit(self.base).hostname or ""

    def url(self, request: Request) -> str:
        """Return the request's full URL, without its query parameters.

        Raises UpstreamUnavailable for a URL of another origin.
        """
        return self.graphql if request.path == "/graphql" else BaseUrl(self.base).url(request)

    @property
    def graphql(self) -> str:
        if self.base.endswith(_SERVER_PATH):
            return self.base.removesuffix("/v3") + "/graphql"
        return self.base + "/graphql"

    def owns(self, url: str) -> bool:
        """Whether a full URL lies under the base."""
        return BaseUrl(self.base).owns(url)


def is_server(base: str) -> bool:
    """Whether a base URL is GitHub Enterprise Server; decided by its path, not by its host."""
    return urlsplit(base).path.endswith(_SERVER_PATH)

"""Where a Jira is: a Cloud site, Atlassian's gateway for OAuth, or a server of one's own."""

import re
from urllib.parse import SplitResult, urlsplit

CLOUD = ".atlassian.net"
GATEWAY = "api.atlassian.com"
_OF_GATEWAY = re.compile(r"/ex/jira/([A-Za-z0-9-]+)", re.ASCII)
_API = re.compile(r"/rest(?:/api(?:/[0-9a-z]+)?)?$")


def normalised(given: str) -> str:
    """Return the base URL for a host or URL, without a trailing slash.

    A Cloud site has no path, whatever page of it was given; a server's context path stays.
    Raises ValueError.
    """
    text = given.strip()
    parts = urlsplit(text if "://" in text else f"https://{text}")
    _require_plain(parts)
    host = (parts.hostname or "").lower()
    if host.endswith(CLOUD):
        return f"https://{host}"
    origin = f"{parts.scheme}://{_authority(host, parts.port)}"
    path = _API.sub("", parts.path.rstrip("/")).rstrip("/")
    if host != GATEWAY:
        return origin + path
    cloud = _OF_GATEWAY.match(path)
    if cloud is None:
        raise ValueError(f"must name the site at Atlassian's gateway: https://{GATEWAY}/ex/jira/ID")
    return f"https://{GATEWAY}{cloud[0]}"


def _require_plain(parts: SplitResult) -> None:
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not re.fullmatch(r"[\w.:-]+", host):
        raise ValueError("must be the host or URL of a Jira, such as acme.atlassian.net")
    if parts.username or parts.password:
        raise ValueError("must not hold a user name or password; set JIRA_USERNAME, JIRA_API_TOKEN")
    if parts.query or parts.fragment or re.search(r"[\s\\%]|//|/\.\.?(/|$)", parts.path):
        raise ValueError("must end with the host or the context path, such as https://host/jira")


def _authority(host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port is None else f"{name}:{port}"


def site_name(base: str) -> str:
    """Return the name of a site in the mesh's tags: its host, or its id at the gateway."""
    parts = urlsplit(base)
    cloud = _OF_GATEWAY.match(parts.path) if parts.hostname == GATEWAY else None
    return cloud[1].lower() if cloud else (parts.hostname or "")

"""What a start without credentials means, said at the start."""

from collections.abc import Iterable, Iterator, Mapping

from trunkline_shared.live_secret import LiveSecret

GITHUB_SERVERS = ("github_comment",)


def warnings_of(servers: Iterable[str], environment: Mapping[str, str]) -> Iterator[str]:
    """Yield one line per server that lacks a credential."""
    token = LiveSecret("GITHUB_TOKEN", "GH_TOKEN", env=environment).get()
    app = environment.get("TRUNKLINE_GITHUB_APP_ID")
    if token or app:
        return
    for server in servers:
        if server in GITHUB_SERVERS:
            yield f"{server}: no GITHUB_TOKEN: its tools answer CREDENTIALS_MISSING"

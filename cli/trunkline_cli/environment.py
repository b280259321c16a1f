"""The environment as the command line reads it.

Plain `os.environ`, not `trunkline_shared.settings`: importing pydantic-settings costs more than
a whole `trunkline call` takes.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from trunkline_cli.failure import USAGE, CommandFailed
from trunkline_shared.client.configuration import KEY_VARIABLE

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8470
HIGHEST_PORT = 65_535
API_KEY = KEY_VARIABLE


def variables() -> dict[str, str]:
    """Return a copy of the environment, for a child process or for reading."""
    return dict(os.environ)  # noqa: TID251 - the door of the command line


def variable(name: str, default: str = "") -> str:
    """Return a variable, or the content of the file that `NAME_FILE` names, without blanks."""
    return value_in(variables(), name) or default


def value_in(env: Mapping[str, str], name: str) -> str:
    """Return a variable of an environment, or the content of its file; empty without either.

    Raises CommandFailed for a file that cannot be read.
    """
    value = env.get(name, "").strip()
    path = env.get(f"{name}_FILE")
    if not value and path:
        try:
            value = Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise CommandFailed(
                f"{name}_FILE={path}: the file cannot be read ({error.strerror})", USAGE
            ) from None
    return value


def assign(name: str, value: str) -> None:
    """Set a variable of this process, for the settings that are read later."""
    os.environ[name] = value  # noqa: TID251 - the door of the command line


def forget(name: str) -> None:
    """Take a variable out of this process, for the settings that are read later."""
    os.environ.pop(name, None)  # noqa: TID251 - the door of the command line


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterAddress:
    """Where the router is: host, port, the base URL that clients use, and the key that opens it."""

    host: str
    port: int
    url: str
    key: str = field(default="", repr=False)

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"


def router_address() -> RouterAddress:
    """Return the router's address from TRUNKLINE_PUBLIC_URL, or TRUNKLINE_HOST and _PORT.

    Its key is TRUNKLINE_API_KEY. Raises CommandFailed.
    """
    public = variable("TRUNKLINE_PUBLIC_URL").rstrip("/")
    host = variable("TRUNKLINE_HOST", DEFAULT_HOST)
    port = _port(variable("TRUNKLINE_PORT", str(DEFAULT_PORT)))
    key = _key(variable(API_KEY))
    if not public:
        return RouterAddress(host=host, port=port, url=f"http://{reachable(host)}:{port}", key=key)
    parts = urlsplit(public)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise CommandFailed(
            f"TRUNKLINE_PUBLIC_URL={public}: not an http or https URL. "
            f"Set it to something like http://{DEFAULT_HOST}:{DEFAULT_PORT}, or unset it.",
            USAGE,
        )
    return RouterAddress(host=host, port=port, url=public, key=key)


def _key(value: str) -> str:
    if value.isascii() and value.isprintable() and " " not in value:
        return value
    raise CommandFailed(
        f"{API_KEY}: this is no key. Set it to one that `trunkline key` made.", USAGE
    )


def _port(value: str) -> int:
    if value.isascii() and value.isdigit() and int(value) <= HIGHEST_PORT:
        return int(value)
    raise CommandFailed(
        f"TRUNKLINE_PORT={value}: not a port. Set it to a number from 1 to 65535, "
        "or to 0 for any free port.",
        USAGE,
    )


def reachable(host: str) -> str:
    """Return a host that a server listens on as it stands in a URL."""
    if host in {"0.0.0.0", ""}:  # noqa: S104 - recognised, not listened on
        return DEFAULT_HOST
    if host == "::":
        return "[::1]"
    return f"[{host}]" if ":" in host else host

"""What a child gets of the router's own environment: where it is, and no secret."""

import os
from collections.abc import Mapping

_PASSED = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
)
"""Everything else, the mesh's secrets first of all, a child has to be given by name."""


def child_environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that every child has."""
    given = os.environ if env is None else env  # noqa: TID251 - the one place that passes it on
    return {name: given[name] for name in _PASSED if name in given}

"""How many files the router may have open: each connection is one."""

import resource
from contextlib import suppress

_MOST = 65_536
"""More than anybody needs: programs that the router starts may look at each that they may have."""


def raise_limit() -> None:
    """Let this process have as many open as the system lets it; most begin with 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return
    # macOS says that there is no limit, and has one.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))

"""How many files a process may have open: a connection is one."""

import resource


def raise_limit() -> int:
    """Let this process, and all that it starts, open as many as the system lets it; return that."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard

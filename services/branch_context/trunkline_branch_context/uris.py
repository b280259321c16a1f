"""The addresses of the resources."""

from urllib.parse import quote

TREE_URI = "twig://repo/tree"
BRANCHES_URI = "twig://repo/branches"
CONTEXT_TEMPLATE = "twig://branch/{name}/context"


def context_uri(branch: str) -> str:
    """Return the address of a branch's context; a branch's name holds slashes, so it is encoded."""
    return CONTEXT_TEMPLATE.replace("{name}", quote(branch, safe=""))

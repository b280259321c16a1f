"""How the mesh's tags name the Jira sites that its servers reach."""

import re

from trunkline_router.catalogue.directory import Directory

_SITE = re.compile(r"jira:([^:{}]+)")


def sites_in(directory: Directory) -> frozenset[str]:
    """Return the sites that the tools of a directory declare."""
    return frozenset(
        found[1]
        for spec in directory.tools.values()
        for declared in (spec.policy.reads, spec.policy.writes)
        if declared is not None
        for tag in declared.tags
        if (found := _SITE.match(tag))
    )

"""The tags of what this server reads and writes, over all servers of the mesh.

The vocabulary is `jira:SITE:KEY`, `jira:SITE:search`, `jira:SITE:projects` and
`jira:SITE:account`. A tool's declaration is made before the
settings are read, so it says `{site}`, and the configured site is put there when the server is
built; without a site it stays, and no call succeeds. `{issue_key}` is what the caller wrote, so
each result names the keys that it turned out to show, in Jira's spelling: that of the issue itself
(`me1` is `ME-1`, and a moved issue has a new key), of its parent, subtasks and links.
"""

from collections.abc import Iterable

from trunkline_shared.contracts import Writes

SITE = "{site}"
PROJECTS = f"jira:{SITE}:projects"
ACCOUNT = f"jira:{SITE}:account"
ISSUE = f"jira:{SITE}:{{issue_key}}"
SEARCH = f"jira:{SITE}:search"

WRITTEN = f"jira:{SITE}:written-issues"
"""What every write bumps and every issue has: the key that a write names may be an old one."""

SHOWS_ISSUE = (ISSUE, WRITTEN)
WRITES_ISSUE = Writes(tags=(ISSUE, WRITTEN, SEARCH))
SEARCH_SETTLES_S = 60
"""For so long a search may still find what was before: Jira's index follows its issues."""

DEFAULT_ISSUE = {"issue_key": "twig.get_current_branch#issue_key"}
"""Where a read finds the issue that it was not given."""

TOOLSET = "jira"
"""The toolset of what is not needed every day."""

MOST_SHOWN = 100


def issue_tags(site: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Return the tags of issues that a result shows; of very many the parent of all."""
    tags = tuple(dict.fromkeys(f"jira:{site}:{key}" for key in keys))
    return tags if len(tags) <= MOST_SHOWN else (f"jira:{site}",)

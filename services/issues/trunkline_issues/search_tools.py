"""The tool that searches."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_issues.cursor import Cursor
from trunkline_issues.issue_models import Hits
from trunkline_issues.search_query import Kind
from trunkline_issues.searching import Search, search
from trunkline_issues.tags import LISTED, REPOSITORY_DEFAULTS
from trunkline_shared.arguments import PerPage
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.targets import to_read
from trunkline_shared.listing import Fields
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTools:
    """Search over one repository's issues and pull requests."""

    github: GitHub

    @tool(
        "Search issues",
        READ,
        Policy(
            reads=Reads(ttl_s=30, stale_s=600, settle_s=60, tags=LISTED),
            needs=("owner", "repo"),
            defaults=REPOSITORY_DEFAULTS,
        ),
    )
    async def search_issues(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        query: Annotated[
            str, Field(description="GitHub issue search: words, label:x, author:y, OR, …; no repo:")
        ],
        kind: Kind = "issue",
        limit: PerPage = 30,
        cursor: Cursor = "",
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> Hits:
        """Search the repository's issues or pull requests; changes take a while to be found.

        Returns items; incomplete when GitHub ran out of time. At most 1,000 hits can be read.
        """
        repository = await to_read(self.github, owner, repo)
        wanted = Search(query=query, kind=kind, limit=limit, cursor=cursor, fields=fields)
        return await search(self.github, repository, wanted)

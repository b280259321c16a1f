"""Searching all that the token's person may see."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_project_reader.basecamp.belonging import bound_project, require_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, Listing
from trunkline_project_reader.basecamp.search import SentHit, metadata, search
from trunkline_project_reader.basecamp.todos import Query
from trunkline_project_reader.bodies import Body, RichText, bodies_of, form_in
from trunkline_project_reader.recording_listing import named_bucket, named_parent
from trunkline_project_reader.results import author_of, ending
from trunkline_project_reader.search_models import Hit, Hits
from trunkline_shared.errors import InvalidInput
from trunkline_shared.listing import choose

_FILE = "Attachment"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """What to search for; an empty type, and numbers that are 0, narrow nothing."""

    words: str
    type: str = ""
    project_id: int = 0
    creator_id: int = 0

    @property
    def parameters(self) -> Query:
        """The query as Basecamp reads it."""
        narrowed = {
            "type": self.type,
            "bucket_id": str(self.project_id or ""),
            "creator_id": str(self.creator_id or ""),
        }
        return (("q", self.words), *((name, text) for name, text in narrowed.items() if text))


def query_of(words: str, kind: str, bucket_id: int, creator_id: int) -> SearchQuery:
    """Return a search; in a context that is bound to a project, of that one alone.

    Raises InvalidInput without words, BlockedByPolicy for another project.
    """
    if not words.strip():
        raise InvalidInput(
            "q is empty: there is nothing to search for.",
            details={"field_errors": [{"field": "q", "problem": "is empty"}]},
        )
    if bucket_id:
        require_project(bucket_id)
    return SearchQuery(
        words=words.strip(),
        type=kind.strip(),
        project_id=bucket_id or bound_project() or 0,
        creator_id=creator_id,
    )


async def find(
    basecamp: Basecamp, query: SearchQuery, extent: Extent, fields: Sequence[str]
) -> Hits:
    """Return a part of what was found.

    Raises InvalidInput for an unknown field or type, else a TrunklineError.
    """
    choose((), fields, Hit)
    if query.type:
        await _require_type(basecamp, query.type)
    alone = bound_project()
    listing = Listing(
        endpoints=(search(query.parameters),),
        question=("search", query),
        wanted=None if alone is None else lambda hit: _lies_in(hit, alone),
    )
    listed = await basecamp.listed(listing, extent)
    texts = (RichText(html=_text(one)) for one in listed.items)
    excerpts = await bodies_of(texts, form_in(fields, "excerpt", "excerpt"))
    items = [_hit(one, body) for one, body in zip(listed.items, excerpts, strict=True)]
    return Hits(items=choose(items, fields, Hit), **ending(listed))


async def _require_type(basecamp: Basecamp, wanted: str) -> None:
    """Check that the account can search for a type. Raises InvalidInput."""
    known = (await basecamp.fetch(metadata())).recording_search_types
    keys = [one.key for one in known if one.key]
    if not keys or wanted in keys:
        return
    nearest = difflib.get_close_matches(wanted, keys, n=1, cutoff=0.5)
    listed = ", ".join(keys)
    raise InvalidInput(
        f"type: {wanted!r} is none that can be searched for.",
        hint=f"Did you mean {nearest[0]!r}? All: {listed}." if nearest else f"There are: {listed}.",
        details={"field_errors": [{"field": "type", "problem": "is unknown", "known": keys}]},
    )


def _lies_in(hit: SentHit, project_id: int) -> bool:
    return hit.bucket is not None and hit.bucket.id == project_id


def _text(hit: SentHit) -> str:
    return hit.plain_text_content or hit.plain_text_description


def _hit(one: SentHit, excerpt: Body) -> Hit:
    return Hit(
        id=one.id,
        type=one.type or _FILE,
        title=one.title or one.filename,
        excerpt=excerpt.markdown,
        url=one.app_url or one.app_download_url,
        project=named_bucket(one.bucket),
        parent=named_parent(one.parent),
        author=author_of(one.creator),
        created_at=one.created_at,
        updated_at=one.updated_at,
    )

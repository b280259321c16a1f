"""Resource templates: what they match, and what their resources depend on."""

from collections.abc import Iterable
from dataclasses import dataclass

from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate
from pydantic import ValidationError

from trunkline_router.model import Json
from trunkline_shared import meta
from trunkline_shared.contracts import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A resource template, ready to be matched; `tags` are what its resources depend on."""

    server: str
    pattern: UriTemplate
    tags: tuple[str, ...] = ()

    def matches(self, uri: str) -> bool:
        return self.pattern.match(uri) is not None


def templates_in(server: str, entries: Iterable[Json]) -> Iterable[Template]:
    """Yield the templates of a server's list; what is none is left out."""
    for entry in entries:
        try:
            pattern = UriTemplate.parse(str(entry.get("uriTemplate")))
        except InvalidUriTemplate:
            continue
        yield Template(server=server, pattern=pattern, tags=_tags_of(entry))


def _tags_of(entry: Json) -> tuple[str, ...]:
    """Return the tags that a template declares, as tools do; none where that makes no sense."""
    given = entry.get("_meta")
    declared = given.get(meta.POLICY, {}) if isinstance(given, dict) else {}
    try:
        reads = Policy.model_validate(declared).reads
    except ValidationError:
        return ()
    return () if reads is None else reads.tags

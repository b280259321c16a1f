"""Resource templates: what they match, and what their resources depend on."""

from collections.abc import Iterable
from dataclasses import dataclass

from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate
from pydantic import ValidationError

from trunkline_router.model import Json
from trunkline_router.rights import Rights
from trunkline_shared import meta
from trunkline_shared.contracts import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A resource template, ready to be matched; `tags` are what its resources depend on.

    `tool` names the tool whose answers they are: who may not call it may not read them.
    """

    server: str
    pattern: UriTemplate
    tags: tuple[str, ...] = ()
    tool: str = ""

    def permitted_by(self, rights: Rights) -> bool:
        """Say whether the rights let its resources be read, where the server may be reached."""
        return not self.tool or rights.permit(self.server, self.tool)

    def matches(self, uri: str) -> bool:
        return self.pattern.match(uri) is not None


def templates_in(server: str, entries: Iterable[Json]) -> Iterable[Template]:
    """Yield the templates of a server's list; what is none is left out."""
    for entry in entries:
        try:
            pattern = UriTemplate.parse(str(entry.get("uriTemplate")))
        except InvalidUriTemplate:
            continue
        given = entry.get("_meta")
        told = given if isinstance(given, dict) else {}
        tool = told.get(meta.ANSWERS_AS)
        yield Template(
            server=server,
            pattern=pattern,
            tags=_tags_in(told),
            tool=tool if isinstance(tool, str) else "",
        )


def _tags_in(told: Json) -> tuple[str, ...]:
    """Return the tags that a template declares, as tools do; none where that makes no sense."""
    try:
        reads = Policy.model_validate(told.get(meta.POLICY, {})).reads
    except ValidationError:
        return ()
    return () if reads is None else reads.tags

"""What agents see: the servers' listings merged into one, names mapped to their owners."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from trunkline_router.context import NOTHING, Context
from trunkline_router.model import Json, ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """All that one server offers, as it answered; `expires` is monotonic seconds."""

    server: str
    tools: tuple[ToolSpec, ...] = ()
    prompts: tuple[Json, ...] = ()
    resources: tuple[Json, ...] = ()
    templates: tuple[Json, ...] = ()
    completes: bool = False
    instructions: str = ""
    server_info: Json = field(default_factory=dict)
    expires: float = 0.0
    public: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """Something a server owns, under the server's own name for it."""

    server: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A resource template, ready to be matched."""

    server: str
    pattern: UriTemplate

    def matches(self, uri: str) -> bool:
        return self.pattern.match(uri) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A merged view at one moment, replaced as a whole when anything changes.

    `missing` are the servers whose entries are not known or may be out of date. `withheld` says
    of each tool that `context` does not offer why. `expires` is monotonic seconds.
    """

    listings: tuple[Listing, ...] = ()
    missing: frozenset[str] = frozenset()
    context: Context = NOTHING
    tools: Mapping[str, ToolSpec] = field(default_factory=dict)
    withheld: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, Owned] = field(default_factory=dict)
    resources: Mapping[str, str] = field(default_factory=dict)
    templates: tuple[Template, ...] = ()
    items: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    expires: float = 0.0
    public: bool = False

    def owner_of(self, uri: str) -> str | None:
        """Return the server that a resource belongs to: by its URI, else by a template."""
        owner = self.resources.get(uri)
        if owner is None:
            owner = next((t.server for t in self.templates if t.matches(uri)), None)
        return owner

    def owner_of_template(self, template: str) -> str | None:
        return next((t.server for t in self.templates if str(t.pattern) == template), None)


def merge(listings: Sequence[Listing], missing: Iterable[str], exempt: frozenset[str]) -> Directory:
    """Merge `listings` in their order; names of `exempt` servers are never changed."""
    by_claim = sorted(listings, key=lambda listing: (listing.server not in exempt, listing.server))
    tool_names = _names(by_claim, {one.server: [t.name for t in one.tools] for one in listings})
    prompt_names = _names(by_claim, {one.server: _own(one.prompts) for one in listings})
    gone = frozenset(missing)
    tools = {
        (exposed := tool_names[one.server, tool.name]): _exposed(tool, exposed)
        for one in listings
        for tool in one.tools
    }
    prompts = {
        prompt_names[one.server, name]: Owned(server=one.server, name=name)
        for one in listings
        for name in _own(one.prompts)
    }
    owners: dict[str, str] = {}
    for listing in by_claim:
        for resource in listing.resources:
            owners.setdefault(str(resource.get("uri")), listing.server)
    return Directory(
        listings=tuple(listings),
        missing=gone,
        tools=tools,
        prompts=prompts,
        resources=owners,
        templates=tuple(_templates(by_claim)),
        items={
            "tools": tuple(spec.definition for spec in tools.values()),
            "prompts": tuple(
                p | {"name": prompt_names[one.server, str(p["name"])]}
                for one in listings
                for p in one.prompts
            ),
            "resources": tuple(
                r for one in listings for r in one.resources if owners[str(r["uri"])] == one.server
            ),
            "resourceTemplates": tuple(t for one in listings for t in one.templates),
        },
        expires=min((listing.expires for listing in listings), default=0.0),
        public=bool(listings) and not gone and all(listing.public for listing in listings),
    )


def _own(items: Iterable[Json]) -> list[str]:
    return [str(item["name"]) for item in items]


def _names(
    by_claim: Sequence[Listing], offered: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], str]:
    """Map (server, name) to the exposed name: the first claim keeps it, a newcomer is prefixed."""
    exposed: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for listing in by_claim:
        for name in offered[listing.server]:
            free = name if name not in taken else f"{listing.server}__{name}"
            while free in taken:
                free += "_"
            taken.add(free)
            exposed[listing.server, name] = free
    return exposed


def _exposed(tool: ToolSpec, exposed: str) -> ToolSpec:
    if exposed == tool.name:
        return tool
    return ToolSpec(
        exposed=exposed,
        name=tool.name,
        server=tool.server,
        definition=tool.definition | {"name": exposed},
        policy=tool.policy,
        read_only=tool.read_only,
        digest=tool.digest,
    )


def _templates(listings: Iterable[Listing]) -> Iterable[Template]:
    for listing in listings:
        for entry in listing.templates:
            try:
                pattern = UriTemplate.parse(str(entry.get("uriTemplate")))
            except InvalidUriTemplate:
                continue
            yield Template(server=listing.server, pattern=pattern)

"""What agents see: the servers' listings merged into one, names mapped to their owners."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import orjson

from trunkline_router.catalogue.fingerprints import of_entries, of_values
from trunkline_router.catalogue.naming import Claim, Identity, Prefix, names_of
from trunkline_router.catalogue.templates import Template, templates_in
from trunkline_router.context import NOTHING, Context
from trunkline_router.model import Json, ToolSpec
from trunkline_shared import meta


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """All that one server offers, under its own names; `expires` is monotonic seconds.

    `wishes` are the names that the operator wants for some of it. `held` says of each tool that is
    held back why. `announces` are the kinds of list changes that the server tells a listener.
    """

    server: str
    tools: tuple[ToolSpec, ...] = ()
    prompts: tuple[Json, ...] = ()
    resources: tuple[Json, ...] = ()
    templates: tuple[Json, ...] = ()
    wishes: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    announces: tuple[str, ...] = ()
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
class Held:
    """A tool that is held back, and why."""

    spec: ToolSpec
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A merged view at one moment, replaced as a whole when anything changes.

    `missing` are the servers whose entries are not known or may be out of date. `withheld` says
    of each tool that `context` does not offer why, `held` of each that waits for approval.
    `left_out` are tools for which no name was free. `searches` says that tools are found by
    searching. `expires` is monotonic seconds.
    `introductions` are those that clients were given, by how the servers stood.
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
    held: Mapping[str, Held] = field(default_factory=dict)
    left_out: tuple[Identity, ...] = ()
    searches: bool = False
    expires: float = 0.0
    public: bool = False
    _prints: dict[str, bytes] = field(init=False, repr=False, compare=False, default_factory=dict)
    introductions: dict[tuple[object, ...], Json] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    _written: dict[str, orjson.Fragment] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def written(self, key: str) -> orjson.Fragment:
        """Return the entries of a list as they go on the wire, for whoever asks for all of it."""
        known = self._written.get(key)
        if known is None:
            known = orjson.Fragment(orjson.dumps(self.items.get(key, ())))
            self._written[key] = known
        return known

    def print_of(self, key: str) -> bytes:
        """Return what identifies the entries of a list, whatever their order and their marks."""
        known = self._prints.get(key)
        if known is None:
            known = self._prints[key] = of_entries(self.items.get(key, ()))
        return known

    def stamp(self) -> bytes:
        """Return what identifies all that is shown, and what is not at the moment."""
        known = self._prints.get("")
        if known is None:
            prints = [self.print_of(key) for key in sorted(self.items)]
            told = [sorted(one.announces) for one in self.listings]
            known = of_values([sorted(self.missing), sorted(self.held), told], prints)
            self._prints[""] = known
        return known

    def owner_of(self, uri: str) -> str | None:
        """Return the server that a resource belongs to: by its URI, else by a template."""
        owner = self.resources.get(uri)
        if owner is None:
            template = self.template_of(uri)
            owner = None if template is None else template.server
        return owner

    def template_of(self, uri: str) -> Template | None:
        """Return the template that a URI is of, the first one that matches it."""
        return next((each for each in self.templates if each.matches(uri)), None)

    def owner_of_template(self, template: str) -> str | None:
        return next((t.server for t in self.templates if str(t.pattern) == template), None)


def merge(
    listings: Sequence[Listing],
    missing: Iterable[str],
    exempt: frozenset[str],
    prefix: Prefix = "collision",
) -> Directory:
    """Merge `listings` in their order; names of `exempt` servers are never changed.

    Tools of `missing` servers stay, and are marked as not available at the moment.
    """
    by_claim = sorted(listings, key=lambda listing: (listing.server not in exempt, listing.server))
    gone = frozenset(missing)
    tool_names = names_of(_claims(listings, exempt, _tools_of), prefix)
    tools, held = _merged_tools(listings, tool_names, gone)
    prompt_names = names_of(_claims(listings, exempt, _prompts_of), prefix)
    prompts = [
        (exposed, one.server, prompt)
        for one in listings
        for prompt in one.prompts
        if (exposed := prompt_names[one.server, str(prompt["name"])]) is not None
    ]
    owners = _owners(by_claim, exempt)
    return Directory(
        listings=tuple(listings),
        missing=gone,
        tools=tools,
        held=held,
        prompts={
            exposed: Owned(server=server, name=str(prompt["name"]))
            for exposed, server, prompt in prompts
        },
        resources=owners,
        templates=tuple(_templates(by_claim)),
        items={
            "tools": tuple(spec.definition for spec in tools.values()),
            "prompts": tuple(prompt | {"name": exposed} for exposed, _, prompt in prompts),
            "resources": tuple(
                r
                for one in listings
                for r in one.resources
                if owners.get(str(r["uri"])) == one.server
            ),
            "resourceTemplates": tuple(t for one in listings for t in one.templates),
        },
        left_out=tuple(each for each, exposed in tool_names.items() if exposed is None),
        expires=min((listing.expires for listing in listings), default=0.0),
        public=bool(listings) and not gone and all(listing.public for listing in listings),
    )


def _tools_of(listing: Listing) -> Iterable[str]:
    return (tool.name for tool in listing.tools)


def _prompts_of(listing: Listing) -> Iterable[str]:
    return (str(prompt["name"]) for prompt in listing.prompts)


def _claims(
    listings: Iterable[Listing],
    exempt: frozenset[str],
    names: Callable[[Listing], Iterable[str]],
) -> Iterable[Claim]:
    for listing in listings:
        for name in names(listing):
            yield Claim(
                server=listing.server,
                name=name,
                wish=listing.wishes.get(name, name),
                fixed=listing.server in exempt,
                chosen=name in listing.wishes,
            )


def _merged_tools(
    listings: Iterable[Listing], names: Mapping[Identity, str | None], gone: frozenset[str]
) -> tuple[dict[str, ToolSpec], dict[str, Held]]:
    tools: dict[str, ToolSpec] = {}
    held: dict[str, Held] = {}
    for listing in listings:
        for tool in listing.tools:
            exposed = names[listing.server, tool.name]
            if exposed is None:
                continue
            spec = _exposed(tool, exposed, away=listing.server in gone)
            if tool.name in listing.held:
                held[exposed] = Held(spec=spec, reason=listing.held[tool.name])
            else:
                tools[exposed] = spec
    return tools, held


def _exposed(tool: ToolSpec, exposed: str, *, away: bool) -> ToolSpec:
    changes: Json = {}
    if exposed != tool.name:
        changes["name"] = exposed
    if away:
        given = tool.definition.get("_meta")
        noted = given if isinstance(given, dict) else {}
        changes["_meta"] = noted | {meta.AVAILABILITY: {"available": False}}
    if not changes:
        return tool
    return replace(tool, exposed=exposed, definition=tool.definition | changes)


def _owners(by_claim: Iterable[Listing], exempt: frozenset[str]) -> dict[str, str]:
    """Map each concrete resource to its server; what a built-in template means is the mesh's."""
    listings = list(by_claim)
    reserved = list(_templates(one for one in listings if one.server in exempt))
    owners: dict[str, str] = {}
    for listing in listings:
        for resource in listing.resources:
            uri = str(resource.get("uri"))
            ours = listing.server in exempt or not any(each.matches(uri) for each in reserved)
            if ours:
                owners.setdefault(uri, listing.server)
    return owners


def _templates(listings: Iterable[Listing]) -> Iterable[Template]:
    for listing in listings:
        yield from templates_in(listing.server, listing.templates)

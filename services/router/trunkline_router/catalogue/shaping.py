"""What an operator makes of a server's offer: parts left out, renamed, described, declared."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from trunkline_router.catalogue.directory import Listing
from trunkline_router.catalogue.listing import digest_of
from trunkline_router.configuration.entries import ServerEntry
from trunkline_router.model import Json, ToolSpec
from trunkline_router.wire.refusal import nearest_to
from trunkline_shared.contracts import Policy, Writes


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """A listing as it is offered, and what the operator should know about the configuration."""

    listing: Listing
    warnings: tuple[str, ...] = ()


def shaped(listing: Listing, entry: ServerEntry, *, built_in: bool) -> Shaped:
    """Return a server's listing as its entry has it.

    What a tool declares of itself is believed of the mesh's own servers only. A foreign tool that
    is not read-only, and of which nothing is known, changes its whole server.
    """
    tools = [tool for tool in listing.tools if _is_included(tool.name, entry)]
    prompts = [prompt for prompt in listing.prompts if _is_included(str(prompt["name"]), entry)]
    return Shaped(
        listing=replace(
            listing,
            tools=tuple(_tool(tool, entry, built_in=built_in) for tool in tools),
            prompts=tuple(prompts),
            wishes=dict(entry.rename),
        ),
        warnings=tuple(_warnings(listing, entry)),
    )


def _is_included(name: str, entry: ServerEntry) -> bool:
    return _matches(name, entry.include) and not _matches(name, entry.exclude)


def _matches(name: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _tool(tool: ToolSpec, entry: ServerEntry, *, built_in: bool) -> ToolSpec:
    given = entry.policy.get(tool.name)
    policy = given or (tool.policy if built_in else Policy())
    reads = given is not None and given.reads is not None and given.writes is None
    read_only = tool.read_only or reads
    if not built_in:
        policy = _guarded(policy, tool.server, read_only=read_only)
    if entry.timeout_s is not None and not (given and "timeout_s" in given.model_fields_set):
        policy = policy.model_copy(update={"timeout_s": entry.timeout_s})
    definition = _described(tool.definition, entry.describe.get(tool.name))
    return replace(
        tool,
        definition=definition,
        policy=policy,
        read_only=read_only,
        digest=digest_of(definition, policy),
    )


def _guarded(policy: Policy, server: str, *, read_only: bool) -> Policy:
    if read_only or policy.writes is not None:
        return policy
    return policy.model_copy(update={"writes": Writes(tags=(f"srv:{server}",))})


def _described(definition: Json, text: str | None) -> Json:
    return definition if text is None else definition | {"description": text}


def _warnings(listing: Listing, entry: ServerEntry) -> Iterator[str]:
    tools = [tool.name for tool in listing.tools]
    named = tools + [str(prompt["name"]) for prompt in listing.prompts]
    for key, given, known in (
        ("rename", entry.rename, named),
        ("describe", entry.describe, tools),
        ("policy", entry.policy, tools),
    ):
        for name in given:
            if name not in known:
                yield _stranger(f"servers.{listing.server}.{key}", name, known)


def _stranger(where: str, name: str, known: Iterable[str]) -> str:
    nearest = nearest_to(name, known)
    meant = f"; did you mean {nearest!r}?" if nearest else ""
    return f"{where}: the server has nothing called {name!r}{meant}"

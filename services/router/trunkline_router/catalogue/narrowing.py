"""What of the servers' offer a caller has: what its rights permit, and its context leaves."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from trunkline_router.catalogue.directory import Directory, Owned
from trunkline_router.catalogue.made_for_views import MadeForViews
from trunkline_router.catalogue.search_definitions import DEFINITIONS
from trunkline_router.catalogue.templates import Template
from trunkline_router.catalogue.tool_schema import properties_of, typed, without
from trunkline_router.context import Context, Value, key_of
from trunkline_router.model import Json, ToolSpec
from trunkline_router.rights import EVERYTHING
from trunkline_router.view import View

_NUMBERS = ("pr_number", "issue_number")
_OBJECTS = (*_NUMBERS, "project_id", "issue_key")


def narrow(directory: Directory, view: View) -> Directory:
    """Return the directory as a view has it; one that narrows nothing, as it is.

    What the rights do not permit is not there at all: nothing tells it from what does not exist.
    """
    seen = _under(_permitted(directory, view), view.context)
    if not view.searches:
        return seen
    return replace(seen, searches=True, items={**seen.items, "tools": DEFINITIONS})


def _permitted(directory: Directory, view: View) -> Directory:
    """Return the directory without the tools that are not permitted, or need further scopes.

    A server none of whose tools are left is gone with its prompts, resources and instructions:
    whoever may call nothing of it has no business with the rest.
    """
    rights = view.rights
    tools = {name: spec for name, spec in directory.tools.items() if _is_for(view, spec)}
    held = {name: each for name, each in directory.held.items() if _is_for(view, each.spec)}
    if rights == EVERYTHING and len(tools) + len(held) == len(directory.tools) + len(
        directory.held
    ):
        return directory
    left = {spec.server for spec in tools.values()}
    left |= {one.server for one in directory.listings if not one.tools and rights.reach(one.server)}
    unlisted = directory.missing - {one.server for one in directory.listings}
    gone = directory.missing & left | {server for server in unlisted if rights.reach(server)}
    prompts = {name: own for name, own in directory.prompts.items() if own.server in left}
    templates = tuple(
        each for each in directory.templates if each.server in left and each.permitted_by(rights)
    )
    return replace(
        directory,
        listings=tuple(one for one in directory.listings if one.server in left),
        missing=gone,
        tools=tools,
        held=held,
        prompts=prompts,
        resources={uri: own for uri, own in directory.resources.items() if own in left},
        templates=templates,
        items=_items(directory, left, tools, prompts)
        | {"resourceTemplates": _listed(directory, templates)},
    )


def _is_for(view: View, spec: ToolSpec) -> bool:
    needed = spec.policy.scopes
    if needed and view.holds is not None and not view.holds.issuperset(needed):
        return False
    return view.rights.permit(spec.server, spec.name, spec.policy.toolset)


def _listed(directory: Directory, left: Collection[Template]) -> Sequence[Json]:
    patterns = {(each.server, str(each.pattern)) for each in left}
    return tuple(
        entry
        for listing in directory.listings
        for entry in listing.templates
        if (listing.server, str(entry["uriTemplate"])) in patterns
    )


def _items(
    directory: Directory,
    left: Collection[str],
    tools: Mapping[str, ToolSpec],
    prompts: Mapping[str, Owned],
) -> dict[str, Sequence[Json]]:
    """Return the entries of the lists that belong to what is left."""
    items = directory.items
    return {
        "tools": tuple(spec.definition for spec in tools.values()),
        "prompts": tuple(each for each in items.get("prompts", ()) if each["name"] in prompts),
        "resources": tuple(
            each
            for each in items.get("resources", ())
            if directory.resources.get(str(each["uri"])) in left
        ),
    }


def _under(directory: Directory, context: Context) -> Directory:
    """Return the directory as it is under a context; without one, as it is.

    Bound parameters are no longer in the schemas; tools that need more than is bound, or that
    could write beside a bound issue or pull request, are `withheld`.
    """
    if not context:
        return directory
    reasons = {name: _reason(spec, context) for name, spec in directory.tools.items()}
    tools = {
        name: replace(spec, bound=_bound(spec, context))
        for name, spec in directory.tools.items()
        if not reasons[name]
    }
    definitions = tuple(without(spec.definition, spec.bound) for spec in tools.values())
    return replace(
        directory,
        context=context,
        tools=tools,
        withheld={name: reason for name, reason in reasons.items() if reason},
        items={**directory.items, "tools": definitions},
    )


def _bound(spec: ToolSpec, context: Context) -> Mapping[str, Value]:
    """Return what the context sets of a tool's parameters, under the tool's own names."""
    bound: dict[str, Value] = {}
    for name, schema in properties_of(spec.definition).items():
        key = key_of(name)
        value = context.get(key) if key is not None else None
        if value is not None:
            bound[name] = typed(value, schema)
    return bound


def _reason(spec: ToolSpec, context: Context) -> str:
    missing = [need for need in spec.policy.context_needs if not _is_bound(need, context)]
    if missing:
        return f"it needs {' and '.join(need.replace('|', ' or ') for need in missing)}"
    if spec.writes and not _is_reached(spec, context):
        return f"it could write to something else than {context}"
    return ""


def _is_bound(need: str, context: Context) -> bool:
    return any(context.get(key_of(each) or each) is not None for each in need.split("|"))


def _is_reached(spec: ToolSpec, context: Context) -> bool:
    """Say whether the bound issue or pull request, if any, decides what a tool writes to."""
    if not any(context.get(number) is not None for number in _NUMBERS):
        return True
    held = {key_of(name) for name in properties_of(spec.definition)} | set(spec.policy.enforces)
    return any(key in held and context.get(key) is not None for key in _OBJECTS)


@dataclass(slots=True, kw_only=True)
class Views:
    """The narrowed directories that were asked for last, `most` at the most."""

    most: int = 64
    _seen: MadeForViews[Directory] = field(init=False)

    def __post_init__(self) -> None:
        self._seen = MadeForViews(most=self.most)

    def of(self, whole: Directory, view: View) -> Directory:
        """Return `whole` as a view has it, made anew only when either has changed."""
        seen = self._seen.get(whole, view)
        return self._seen.put(whole, view, narrow(whole, view)) if seen is None else seen

"""Resources that follow tags: who listens to one hears when anything that it shows is changed."""

import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from trunkline_router.access.repositories import RepositoryGuard
from trunkline_router.cache.bump_feed import BumpFeed, BumpNews
from trunkline_router.cache.tag_patterns import TagPattern
from trunkline_router.catalogue.directory import Directory
from trunkline_router.catalogue.templates import Template
from trunkline_router.context import key_of
from trunkline_router.ports import Catalog, Updates
from trunkline_router.updates import Updated
from trunkline_router.view import WHOLE, View

_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
Patterns = tuple[TagPattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """Listens to bumps for the resources whose templates name tags, to servers for the others.

    `owned` says whose word about tags is believed: a foreign server tells of its own changes.
    A resource outside the view's context, or outside the mesh's repositories, has no owner here,
    as it cannot be read either.
    """

    catalog: Catalog
    served: Updates
    feed: BumpFeed
    repositories: RepositoryGuard
    owned: Callable[[str], bool]

    @asynccontextmanager
    async def of(self, uris: Iterable[str], view: View = WHOLE) -> AsyncIterator[Updated]:
        """Listen to the resources that a view shows, for the length of the block."""
        directory = self.catalog.directory(view)
        wanted = dict.fromkeys(uris)
        tagged = {
            uri: template
            for uri in wanted
            if (template := self._tagged(uri, directory)) is not None
        }
        watched = {
            uri: patterns
            for uri, template in tagged.items()
            if (patterns := self._patterns(uri, template, directory))
        }
        async with self.served.of([uri for uri in wanted if uri not in tagged], view) as others:
            heard = frozenset(others.honoured) | watched.keys()
            updated = replace(others, honoured=tuple(uri for uri in wanted if uri in heard))
            with self.feed.heard_by(
                lambda news: _tell(updated, watched, news), lambda: _tell_all(updated, watched)
            ):
                yield updated

    def reaches(self, uri: str, view: View = WHOLE) -> bool:
        """Say whether a view shows the resource, and does not bar it."""
        directory = self.catalog.directory(view)
        template = self._tagged(uri, directory)
        if template is None:
            return self.served.reaches(uri, view)
        return bool(self._patterns(uri, template, directory))

    def _tagged(self, uri: str, directory: Directory) -> Template | None:
        """Return the template of a resource that follows tags."""
        template = None if uri in directory.resources else directory.template_of(uri)
        follows = template is not None and template.tags and self.owned(template.server)
        return template if follows else None

    def _patterns(self, uri: str, template: Template, directory: Directory) -> Patterns:
        """Return what concerns a resource, nothing for one that the view does not reach."""
        values = {
            name: value
            for name, value in (template.pattern.match(uri) or {}).items()
            if isinstance(value, str)
        }
        allows = directory.context.allows
        if not all(_PLAIN.fullmatch(value) for value in values.values()):
            return ()
        if not all(allows(key_of(name) or name, value) for name, value in values.items()):
            return ()
        owner, repo = values.get("owner", ""), values.get("repo", "")
        if not self.repositories.admits(owner, repo):
            return ()
        spelled = {name: _spelled(name, value) for name, value in values.items()}
        return tuple(TagPattern.of(tag, spelled) for tag in template.tags)


def _spelled(name: str, value: str) -> str:
    if name in {"owner", "repo"}:
        return value.lower()
    return value.lstrip("0") or "0" if value.isdigit() else value


def _tell(updated: Updated, watched: Mapping[str, Patterns], news: BumpNews) -> None:
    for uri, patterns in watched.items():
        if any(pattern.concerns(tag) for tag in news.tags for pattern in patterns):
            updated.put(uri)


def _tell_all(updated: Updated, watched: Mapping[str, Patterns]) -> None:
    for uri in watched:
        updated.put(uri)

"""A configuration put in force while the router runs: read, judged, and applied in one order."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Never

from trunkline_router.adapters.live_catalog import LiveCatalog
from trunkline_router.composition.judging import usable_servers
from trunkline_router.composition.plan import Plan
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.file import DEFAULT_NAME, configuration_path, read_configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.watch import Watch
from trunkline_router.fleet import Change, Member
from trunkline_router.standing import Standing
from trunkline_shared import wire
from trunkline_shared.settings import ConfigurationError, files_named, variable_name
from trunkline_shared.signing import SigningKeys

log = logging.getLogger(__name__)

_WEBHOOKS = frozenset({"github_webhook_secret", "basecamp_webhook_secret", "jira_webhook_secret"})
APPLIED = frozenset({"mesh_key", "secret", "server_urls", "servers"}) | _WEBHOOKS
"""The settings whose files are followed while the router runs."""
"""Settings that need no start when the file that they stand in changes."""
_GLANCE_S = 0.05


class LiveConfiguration:
    """Keeps the router to its files: `trunkline.yaml`, and those that `NAME_FILE` names.

    What cannot be used changes nothing, and is said once.
    """

    def __init__(self, plan: Plan, catalog: LiveCatalog, standing: Standing) -> None:
        self._plan = plan
        self._catalog = catalog
        self._standing = standing
        self._settings = plan.settings
        self._had_file = plan.around.configuration is None and self._path.is_file()

    @asynccontextmanager
    async def followed(self) -> AsyncIterator[None]:
        """Follow the files for the length of the block."""
        async with asyncio.TaskGroup() as tasks:
            following = tasks.create_task(self.follow())
            try:
                yield
            finally:
                following.cancel()

    async def follow(self) -> Never:
        """Apply whatever changes, until cancelled; a wish to reload is obeyed at once."""
        watch = Watch(self._files)
        async with asyncio.TaskGroup() as draining:
            while True:
                wished = await self._wished()
                departed = await self._reloaded() if watch.look() or wished else ()
                for member in departed:
                    draining.create_task(self._drained(member))

    async def _reloaded(self) -> Sequence[Member]:
        try:
            return await self.reload()
        except Exception as bug:  # noqa: BLE001 - no file, however odd, may end the router
            wire.unexpected(bug, doing="applying the configuration")
            return ()

    async def reload(self) -> Sequence[Member]:
        """Read everything again, and apply it if it can be used.

        Returns the members whose calls are still to end.
        """
        try:
            settings = self._reread()
            configuration = self._read()
            entries = usable_servers(settings, configuration, self._plan.around.share)
            # All of them or none: the first that cannot be opened leaves the fleet as it was.
            change = self._plan.fleet.apply(entries, self._plan.links.member)
        except ConfigurationError as error:
            log.error("the configuration stays as it was: %s", error)  # noqa: TRY400 - it is all there is to say
            return ()
        self._take(settings)
        await self._apply(configuration, change)
        return change.departed

    async def _apply(self, configuration: Configuration, change: Change) -> None:
        """Have callers and lists follow the servers at once, and then the streams."""
        live = self._plan.live
        before = live.now
        if change == Change() and configuration == before:
            return
        live.replace(configuration)
        self._catalog.follow_fleet()
        await self._standing.review()
        log.info("the configuration has been applied: %s", _summary(change, before, configuration))

    def _take(self, settings: RouterSettings) -> None:
        """Use what of the settings may change while the router runs, and name the rest."""
        before, self._settings = self._settings, settings
        changed = {
            name
            for name in RouterSettings.model_fields
            if getattr(before, name) != getattr(settings, name)
        }
        if "secret" in changed:
            self._plan.signing.renew(SigningKeys.of(settings).keys)
        if "mesh_key" in changed:
            self._plan.mesh_headers.update(settings.mesh_headers)
        if changed & _WEBHOOKS:
            self._plan.webhook_secrets.renew(settings)
        for name in sorted(changed - APPLIED):
            variable = variable_name(RouterSettings, name)
            log.warning("%s has changed: that takes effect at the router's next start", variable)

    def _reread(self) -> RouterSettings:
        reread = self._plan.around.reread
        if reread is None:
            return self._settings
        settings = reread()
        if self._settings.secret.get_secret_value() and not settings.secret.get_secret_value():
            raise ConfigurationError("TRUNKLINE_SECRET_FILE: the file is empty")
        return settings

    def _read(self) -> Configuration:
        if self._plan.around.configuration is not None:
            return self._plan.live.now
        path = configuration_path(self._settings.config)
        if path is None and self._had_file:
            raise ConfigurationError(
                f"{DEFAULT_NAME} is gone; start the router again to do without it"
            )
        configuration = read_configuration(path, may_be_blank=not self._had_file)
        self._had_file = path is not None
        return self._plan.around.share.of_configuration(configuration)

    @property
    def _path(self) -> Path:
        return Path(self._plan.settings.config or DEFAULT_NAME).expanduser()

    def _files(self) -> Iterable[Path]:
        if self._plan.around.configuration is None:
            yield self._path
        if self._plan.around.reread is not None:
            yield from files_named(RouterSettings).values()

    async def _wished(self) -> bool:
        wish = self._plan.around.reload
        with suppress(TimeoutError):
            async with asyncio.timeout(self._plan.around.terms.look_s):
                await wish.wait()
        wished = wish.is_set()
        wish.clear()
        return wished

    async def _drained(self, member: Member) -> None:
        """Close a link once the calls on it have ended, or have had the time that calls get."""
        try:
            async with asyncio.timeout(self._settings.finish_s):
                while member.vitals.in_flight:
                    await self._plan.clock.sleep(_GLANCE_S)
        except TimeoutError:
            log.warning("calls to server %s, as it was configured, are cut off", member.id)
        finally:
            await member.link.close()


def _summary(change: Change, before: Configuration, after: Configuration) -> str:
    old, new = {key.id: key for key in before.keys}, {key.id: key for key in after.keys}
    both = old.keys() & new.keys()
    parts = {
        "servers added": change.added,
        "servers removed": change.removed,
        "servers reached anew": change.moved,
        "servers shown anew": change.altered,
        "keys added": sorted(new.keys() - old.keys()),
        "keys removed": sorted(old.keys() - new.keys()),
        "keys changed": sorted(key for key in both if old[key] != new[key]),
    }
    named = [f"{what} {', '.join(which)}" for what, which in parts.items() if which]
    return "; ".join(named) or "terms only"

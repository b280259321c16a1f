"""The secrets that vendors share with the mesh, as they are now."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.webhook_secrets import each


@dataclass(slots=True)
class WebhookSecrets:
    """By vendor, newest first; none says that its deliveries are not wanted."""

    by_vendor: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, settings: RouterSettings) -> "WebhookSecrets":
        secrets = cls()
        secrets.renew(settings)
        return secrets

    def renew(self, settings: RouterSettings) -> None:
        """Have those of other settings from now on."""
        self.by_vendor = {
            "github": each(settings.github_webhook_secret),
            "basecamp": each(settings.basecamp_webhook_secret),
            "jira": each(settings.jira_webhook_secret),
        }

    def of_vendor(self, name: str) -> tuple[bytes, ...]:
        return self.by_vendor.get(name, ())

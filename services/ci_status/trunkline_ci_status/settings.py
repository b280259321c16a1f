"""What the ci-status service needs from its environment."""

from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.offer import OfferSettings


class CiStatusSettings(GitHubSettings, OfferSettings):
    """Where GitHub is, and which tools to offer."""

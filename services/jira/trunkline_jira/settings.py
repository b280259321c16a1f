"""What the jira service needs from its environment; credentials are read live."""

from trunkline_shared.offer import OfferSettings


class JiraSettings(OfferSettings):
    """Where Jira is, and which tools to offer."""

"""What the project-reader service needs from its environment; tokens are read live."""

from trunkline_shared.offer import OfferSettings


class ProjectReaderSettings(OfferSettings):
    """Where Basecamp is, and which tools to offer."""

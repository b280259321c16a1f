"""The version of this installation."""

from importlib.metadata import version


def installed_version() -> str:
    """Return the version of the `trunkline` command."""
    return version("trunkline-cli")

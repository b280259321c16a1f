"""An argument parser that raises instead of ending the process."""

import argparse
from typing import NoReturn


class UnknownCommand(Exception):
    """A command that does not exist, or not with these words."""


class Parser(argparse.ArgumentParser):
    """The parser of the real command line, but for how it complains."""

    def error(self, message: str) -> NoReturn:
        """Raise UnknownCommand."""
        raise UnknownCommand(f"{self.prog}: {message}")

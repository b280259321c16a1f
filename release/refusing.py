"""What is raised when something cannot be done, with what the reader can do about it."""


class Refused(Exception):
    """Its message is shown as it is: what is the matter, and what mends it."""

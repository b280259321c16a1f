"""How an exchange fails once something of it has been sent."""


class Cut(ConnectionError):
    """The answer will not come to its end: the connection is gone, or what came is no HTTP.

    The server may have done what it was asked.
    """


class TooLarge(Exception):
    """An answer is larger than whoever asked takes."""

"""Whoever nobody knows is refused."""

from typing import Never

from trunkline_router.wire.challenge import invalid_token, unidentified


class Strangers:
    """The last of the verifiers, where callers have to say who they are."""

    async def verify(self, bearer: str | None) -> Never:
        """Raise Refused, HTTP 401."""
        if bearer is None:
            raise unidentified()
        raise invalid_token(
            "The token is nothing that this router knows: neither an API key nor a job token, nor "
            "one of an authorization server that it trusts."
        )

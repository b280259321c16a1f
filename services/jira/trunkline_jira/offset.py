"""The place in a list that goes by numbers, as a cursor holds it."""

from trunkline_shared.errors import InvalidInput

LARGEST = 1_000_000


def offset(place: str) -> int:
    """Return how many entries come before a place, none for an empty one. Raises InvalidInput."""
    if not place:
        return 0
    if not (place.isascii() and place.isdigit() and int(place) <= LARGEST):
        raise InvalidInput("cursor leads nowhere.", hint="Begin again without one.")
    return int(place)

"""Counting the tokens of texts, by the router's rule and by a real tokenizer."""

from collections.abc import Sequence
from typing import Final

from toktok import batch_count

from bench.tokens.costs import Cost
from trunkline_router.telemetry.tokens import tokens

ENCODING: Final = "o200k_base"


def cost(texts: Sequence[str]) -> Cost:
    """Count texts."""
    sizes = [len(text.encode()) for text in texts]
    return Cost(
        bytes=sum(sizes),
        tokens=sum(map(tokens, sizes)),
        encoded=sum(batch_count(texts, ENCODING)),
    )

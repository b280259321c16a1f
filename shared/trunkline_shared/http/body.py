"""The body of an answer: held up to a cap, or handed on chunk by chunk.

aiohttp decompresses in steps of 64 KiB and stops reading the socket while nobody takes them, so
what is not held costs no memory, whatever its size or compression.
"""

from collections.abc import Callable
from typing import Final

import aiohttp

from trunkline_shared.http.network_failures import too_large
from trunkline_shared.http.outgoing import MIB

ERROR_BODY_CAP: Final = MIB
SUCCESSES: Final = range(200, 300)
_FIRST_FAILURE: Final = 400

Take = Callable[[bytes], bool]
"""Takes the next bytes of a body; says false when it wants no more."""


async def held(answer: aiohttp.ClientResponse, host: str, cap: int) -> bytes:
    """Read a body up to its cap; of a failure's body the beginning is enough.

    Raises TooLarge.
    """
    failed = answer.status >= _FIRST_FAILURE
    limit = min(cap, ERROR_BODY_CAP) if failed else cap
    received = bytearray()
    async for chunk in answer.content.iter_any():
        received += chunk
        if len(received) > limit:
            answer.close()
            if not failed:
                raise too_large(host, limit)
            break
    return bytes(received[:limit])


async def handed(answer: aiohttp.ClientResponse, host: str, cap: int, take: Take) -> int:
    """Hand a body on until its end, or until no more is wanted; returns its bytes.

    Raises TooLarge beyond `cap` bytes after decompression.
    """
    received = 0
    async for chunk in answer.content.iter_any():
        received += len(chunk)
        if received > cap:
            answer.close()
            raise too_large(host, cap)
        if not take(chunk):
            answer.close()
            break
    return received

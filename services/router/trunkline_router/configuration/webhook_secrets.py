"""The secrets of webhooks as they are configured: a comma list, newest first."""

import re
from typing import Annotated

from pydantic import AfterValidator, SecretStr

_SHORTEST = 16
_PLAIN = re.compile(r"[A-Za-z0-9._~-]+")


def each(secret: SecretStr) -> tuple[bytes, ...]:
    """Return the secrets of a list."""
    return tuple(one.encode() for one in re.findall(r"[^,\s]+", secret.get_secret_value()))


def _long_enough(value: SecretStr) -> SecretStr:
    if any(len(one) < _SHORTEST for one in each(value)):
        raise ValueError(f"each secret of the list needs {_SHORTEST} characters or more")
    return value


def _fit_for_url(value: SecretStr) -> SecretStr:
    if not all(_PLAIN.fullmatch(one.decode()) for one in each(value)):
        raise ValueError("each secret stands in a URL: letters, digits, '.', '_', '~' and '-' only")
    return value


WebhookSecret = Annotated[SecretStr, AfterValidator(_long_enough)]
UrlSecret = Annotated[SecretStr, AfterValidator(_long_enough), AfterValidator(_fit_for_url)]

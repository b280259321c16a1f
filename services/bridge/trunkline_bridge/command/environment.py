"""What a command gets of the bridge's environment: how to reach its model, and nothing else."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.settings import FILE_SUFFIX

_PLACE: Final = (
    *("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
)
_SECRETS: Final = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
"""Each also as NAME_FILE, read for each run."""
_MODEL: Final = "ANTHROPIC_"
_OF_CLAUDE: Final = (
    *("CLAUDE_CODE_CLIENT_CERT", "CLAUDE_CODE_CLIENT_KEY", "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_SKIP_BEDROCK_AUTH"),
    *("CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_SKIP_VERTEX_AUTH"),
)
_OF_CLOUDS: Final[Mapping[str, tuple[str, ...]]] = {
    "CLAUDE_CODE_USE_BEDROCK": ("AWS_",),
    "CLAUDE_CODE_USE_VERTEX": ("GOOGLE_", "VERTEX_", "CLOUD_ML_"),
}
"""Prefixes that go along when models are asked through that cloud."""
_NO_PROXY: Final = ("NO_PROXY", "no_proxy")
_FIXED: Final[Mapping[str, str]] = {
    # It asks its model and the router, and nobody else.
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    # A prompt's `@/etc/passwd` is a word, and no order to read a file.
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
    "CLAUDE_CODE_DISABLE_FILE_MENTIONS": "1",
    # All tools of a query are shown at once: they were chosen for it.
    "ENABLE_TOOL_SEARCH": "false",
    # A model that is down is told of within the query's time.
    "CLAUDE_CODE_MAX_RETRIES": "2",
}


@dataclass(frozen=True, slots=True)
class CommandEnvironment:
    """Reads the bridge's environment anew for each run, since secrets in files change."""

    given: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)  # noqa: TID251 - the door for what a command gets

    def of_run(self, homes: Mapping[str, str], router: str) -> dict[str, str]:
        """Return the variables of a run whose folders are `homes`; `router` is a URL."""
        passed = {name: value for name, value in self.given.items() if self._goes(name)}
        secrets = {name: LiveSecret(name, env=self.given).get() for name in _SECRETS}
        told = {name: secret for name, secret in secrets.items() if secret}
        return {**passed, **told, **self._direct(router), **_FIXED, **homes}

    @property
    def path(self) -> str:
        """Where commands are looked for."""
        return self.given.get("PATH", os.defpath)

    def _goes(self, name: str) -> bool:
        clouds = [p for cloud, own in _OF_CLOUDS.items() if self.given.get(cloud) for p in own]
        if name.removesuffix(FILE_SUFFIX) in _SECRETS:
            return False
        return name in {*_PLACE, *_OF_CLAUDE} or name.startswith((_MODEL, *clouds))

    def _direct(self, router: str) -> dict[str, str]:
        """Return the variables that keep what is for the router from going through a proxy."""
        host = urlsplit(router).hostname or ""
        excepted = (self.given.get(name) for name in _NO_PROXY)
        every = ",".join([*dict.fromkeys(each for each in excepted if each), host])
        return dict.fromkeys(_NO_PROXY, every)

"""What a secret looks like, for refusing it on the way out and hiding it in logs."""

import re
from collections.abc import Iterator

_PATTERNS: dict[str, str] = {
    "GitHub token": r"\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_[A-Za-z0-9_]{40,}\b",
    "Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "Anthropic key": r"\bsk-ant-[A-Za-z0-9_-]{20,}",
    "OpenAI key": r"\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    "private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "Trunkline key": r"\btl_[A-Za-z0-9-]{1,64}_[A-Za-z0-9]{24,}\b",
}
_ANY = re.compile("|".join(f"(?P<p{i}>{pattern})" for i, pattern in enumerate(_PATTERNS.values())))
_KINDS = tuple(_PATTERNS)
_BEGINS = re.compile(
    r"gh[pousr]_|github_pat_|xox[abeoprs]-|AKIA|ASIA|sk-|eyJ|-----BEGIN |tl_",
)
"""How each of them begins: this is found twenty times faster than the whole of any."""

# An ordinary word after `token` or `basic` is none: "unexpected token identifier".
_NO_WORD = r"(?=[A-Za-z.-]*(?:[0-9_~+/=]|\.[A-Za-z]|[a-z][A-Z])|[A-Za-z-]{16})"
_AUTHORIZATION = re.compile(rf"\b((?i:bearer|basic|token))\s+{_NO_WORD}[A-Za-z0-9._~+/=-]{{8,}}")


def find_secrets(text: str) -> Iterator[str]:
    """Yield the kind of each secret in `text`, never the secret."""
    end = 0
    for begin in _BEGINS.finditer(text):
        match = _ANY.match(text, begin.start()) if begin.start() >= end else None
        if match is not None:
            assert match.lastgroup is not None
            end = match.end()
            yield _KINDS[int(match.lastgroup[1:])]


def redact(text: str) -> str:
    """Replace every secret and every Authorization value in `text` by what it was."""
    hidden = _ANY.sub(lambda m: f"[{_KINDS[int((m.lastgroup or 'p0')[1:])]}]", text)
    return _AUTHORIZATION.sub(lambda m: f"{m.group(1)} [redacted]", hidden)

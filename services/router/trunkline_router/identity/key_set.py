"""An issuer's public keys, RFC 7517: which of them may have signed a token."""

from collections.abc import Mapping
from dataclasses import dataclass, field

_MOST = 100
_FIELDS = {"RSA": ("n", "e"), "EC": ("crv", "x", "y"), "OKP": ("crv", "x")}
ALGORITHMS: Mapping[str, tuple[str, str | None]] = {
    "RS256": ("RSA", None),
    "RS384": ("RSA", None),
    "RS512": ("RSA", None),
    "PS256": ("RSA", None),
    "PS384": ("RSA", None),
    "PS512": ("RSA", None),
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
    "EdDSA": ("OKP", "Ed25519"),
}
"""What a token may be signed with, and the key's type and curve: no secret shared with anybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicKey:
    """One key; `fields` are its public members, whatever else was published."""

    id: str | None
    algorithm: str | None
    fields: Mapping[str, str] = field(repr=False)

    def fits(self, id_: str | None, algorithm: str) -> bool:
        """Say whether a token with this key id and algorithm may be signed by it."""
        kind, curve = ALGORITHMS[algorithm]
        return (
            self.fields["kty"] == kind
            and (curve is None or self.fields["crv"] == curve)
            and self.algorithm in {None, algorithm}
            and (id_ is None or self.id == id_)
        )


@dataclass(frozen=True, slots=True)
class KeySet:
    """All keys of an issuer."""

    keys: tuple[PublicKey, ...] = ()

    def matching(self, id_: str | None, algorithm: str) -> tuple[PublicKey, ...]:
        """Return the keys that may have signed such a token."""
        return tuple(key for key in self.keys if key.fits(id_, algorithm))


def key_set_of(document: Mapping[str, object]) -> KeySet:
    """Read a JSON web key set; keys that are no use here are left out. Raises ValueError."""
    listed = document.get("keys")
    if not isinstance(listed, list):
        raise ValueError("it holds no keys")  # noqa: TRY004 - a fault of the document
    read = (_key_of(each) for each in listed[:_MOST])
    return KeySet(tuple(key for key in read if key is not None))


def _key_of(listed: object) -> PublicKey | None:
    if not isinstance(listed, dict) or listed.get("use", "sig") != "sig":
        return None
    kind = str(listed.get("kty"))
    public = {name: listed.get(name) for name in ("kty", *_FIELDS.get(kind, ()))}
    texts = {name: value for name, value in public.items() if isinstance(value, str)}
    if kind not in _FIELDS or len(texts) < len(public):
        return None
    id_, algorithm = listed.get("kid"), listed.get("alg")
    return PublicKey(
        id=id_ if isinstance(id_, str) else None,
        algorithm=algorithm if isinstance(algorithm, str) else None,
        fields=texts,
    )

"""GitHub Apps: a signed token in, an installation's token out."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import jwt
from jwt.types import Options

from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.payloads.repositories import repository
from trunkline_shared.testing.github.payloads.users import moment
from trunkline_shared.testing.github.people import HOUR_S, LEVELS, App, Installation, Token
from trunkline_shared.testing.github.repository import Repository

LONGEST_S = 600
UNTIMED: Options = {
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "verify_aud": False,
}
UNVERIFIED: Options = {"verify_signature": False}


def create_access_token(call: Call) -> Answer:
    """Return a new token of an installation, narrowed to what the body asks for."""
    app = _authenticated(call)
    installation = call.state.installations.get(int(call.path["installation_id"]))
    if installation is None or installation.app is not app:
        raise Refusal(404, "Not Found")
    if installation.suspended:
        raise Refusal(403, "This installation has been suspended")
    chosen = _chosen(call, installation)
    token = _mint(call, installation, chosen)
    shown: dict[str, object] = {
        "token": token.secret,
        "expires_at": moment(datetime.fromtimestamp(token.expires_at, UTC)),
        "permissions": dict(token.permissions or {}),
        "repository_selection": "all" if token.repositories is None else "selected",
    }
    if chosen is not None:
        shown["repositories"] = [repository(one, call.urls, frozenset()) for one in chosen]
    return Answer(status=201, json=shown)


def _authenticated(call: Call) -> App:
    """Return the App that signed the credential; its times are judged by the stand-in's clock."""
    try:
        unverified = jwt.decode(call.credential, options=UNVERIFIED)
        app = _app(call, str(unverified.get("iss", "")))
        jwt.decode(call.credential, app.public_key, algorithms=["RS256"], options=UNTIMED)
    except jwt.InvalidTokenError as error:
        raise Refusal(401, "A JSON web token could not be decoded") from error
    _check_times(unverified, call.state.ledger.clock.now())
    return app


def _app(call: Call, issuer: str) -> App:
    for installation in call.state.installations.values():
        if issuer in {installation.app.client_id, str(installation.app.id)}:
            return installation.app
    raise Refusal(401, "'Issuer' claim ('iss') must be an Integer")


def _check_times(claims: Mapping[str, object], now: float) -> None:
    issued, expires = claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int) or issued > now:
        raise Refusal(
            401,
            "'Issued at' claim ('iat') must be an Integer representing the time that the "
            "assertion was issued",
        )
    if not isinstance(expires, int) or expires <= now:
        raise Refusal(
            401,
            "'Expiration time' claim ('exp') must be a numeric value representing the future "
            "time at which the assertion expires",
        )
    if expires > now + LONGEST_S or expires - issued > LONGEST_S:
        raise Refusal(401, "'Expiration time' claim ('exp') is too far in the future")


def _chosen(call: Call, installation: Installation) -> Sequence[Repository] | None:
    names, ids = _list(call, "repositories"), _list(call, "repository_ids")
    if not names and not ids:
        return None
    of_account = [
        one for one in call.state.repositories.values() if one.owner is installation.account
    ]
    reachable = [
        one
        for one in of_account
        if installation.repositories is None or one.id in installation.repositories
    ]
    chosen = [one for one in reachable if one.name in names or one.id in ids]
    if len(chosen) != len(names) + len(ids):
        raise Refusal(
            422,
            "There is at least one repository that does not exist or is not accessible to the "
            "parent installation.",
        )
    return chosen


def _list(call: Call, name: str) -> list[object]:
    value = call.body.get(name, [])
    return list(value) if isinstance(value, list) else []


def _permissions(call: Call, installation: Installation) -> dict[str, str]:
    wanted = call.body.get("permissions")
    if not isinstance(wanted, dict) or not wanted:
        return dict(installation.permissions)
    for area, level in wanted.items():
        had = installation.permissions.get(area, "none")
        if level not in LEVELS or LEVELS.index(level) > LEVELS.index(had):
            raise Refusal(422, "The permissions requested are not granted to this installation.")
    return {**wanted, "metadata": "read"}


def _mint(call: Call, installation: Installation, chosen: Sequence[Repository] | None) -> Token:
    now = call.state.ledger.clock.now()
    reach = installation.repositories
    number = call.state.ledger.next_id()
    app = installation.app
    token = Token(
        secret=f"stand-in-{app.slug}-{number}",
        name=f"{app.slug}-{number}",
        user=app.bot,
        budget=installation.budget,
        permissions=_permissions(call, installation),
        repositories=reach if chosen is None else frozenset(one.id for one in chosen),
        installation=installation,
        valid_from=now + app.refuses_new_tokens_for_s,
        expires_at=now + HOUR_S,
    )
    call.state.tokens[token.secret] = token
    return token


ROUTES = (
    Route(
        method="POST",
        path="/app/installations/{installation_id}/access_tokens",
        handle=create_access_token,
        credential="app",
    ),
)

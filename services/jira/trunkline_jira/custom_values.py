"""Values of custom fields, whatever their type, as an agent reads them."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from trunkline_jira.bodies import DEEPEST, Bodies, visible
from trunkline_jira.keys import KeyRules
from trunkline_jira.projects import AllowedProjects
from trunkline_shared.untrusted import sanitize

_SPRINT = re.compile(r"[\w.]+Sprint@[0-9a-f]+\[(?P<pairs>.*)\]", re.DOTALL)
_SPRINT_NAME = re.compile(r"(?:^|,)name=(?P<name>.*?)(?=,[A-Za-z]+=|$)", re.DOTALL)
_SAID_BY = ("displayName", "name", "value", "key", "accountId")


def permitted(sent: object, allowed: AllowedProjects, depth: int = 0) -> object:
    """Return a value in which only the key is left of an issue that the mesh may not touch."""
    if not allowed.limited:
        return sent
    if depth > DEEPEST:
        return None
    if isinstance(sent, Mapping):
        if _is_hidden(sent.get("key"), allowed):
            return {"key": sent["key"]}
        return {name: permitted(one, allowed, depth + 1) for name, one in sent.items()}
    if isinstance(sent, list | tuple):
        return [permitted(one, allowed, depth + 1) for one in sent]
    return sent


def _is_hidden(key: object, allowed: AllowedProjects) -> bool:
    issue = KeyRules.sent(key) if isinstance(key, str) else None
    return issue is not None and not allowed.allows(issue.project)


def custom_value(sent: object, bodies: Bodies) -> JsonValue:
    """Return a value: a person, option or version by its name, a text in the form asked for."""
    if isinstance(sent, list | tuple):
        return [custom_value(one, bodies) for one in sent]
    if isinstance(sent, str):
        return _sprint(sent) or sanitize(sent)
    if isinstance(sent, Mapping):
        return _object(sent, bodies)
    return visible(sent)


def _object(sent: Mapping[str, object], bodies: Bodies) -> JsonValue:
    if sent.get("type") == "doc":
        return bodies.read(sent).text
    said = next((v for n in _SAID_BY if isinstance(v := sent.get(n), str)), None)
    if said is None:
        return visible(sent)
    child = sent.get("child")
    if isinstance(child, Mapping) and isinstance(chosen := child.get("value"), str):
        return f"{sanitize(said)} > {sanitize(chosen)}"
    return sanitize(said)


def _sprint(text: str) -> str | None:
    """Return the name of a sprint that Data Center writes as a Java object."""
    whole = _SPRINT.fullmatch(text)
    name = _SPRINT_NAME.search(whole["pairs"]) if whole else None
    return sanitize(name["name"]) if name else None

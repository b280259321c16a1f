"""What a branch requires before a merge: its rules, and its protection."""

from trunkline_shared.testing.github.access import at_least, repository_of
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.routes.repositories import REPOSITORY

RULES = REPOSITORY + "/rules/branches/{branch}"
PROTECTION = REPOSITORY + "/branches/{branch}/protection/required_status_checks"


def list_rules(call: Call) -> Answer:
    """Return a page of the rules that apply to a branch; everyone who reads may see them."""
    home = repository_of(call)
    contexts = home.ci.required.get(call.path["branch"])
    rules = [] if contexts is None else [_rule(contexts)]
    address = f"{call.urls.permanent(home)}/rules/branches/{call.path['branch']}"
    shown, links = page_of(call, rules, address)
    return Answer(json=list(shown), headers=links)


def _rule(contexts: list[str]) -> dict[str, object]:
    return {
        "type": "required_status_checks",
        "ruleset_id": 1,
        "ruleset_source_type": "Repository",
        "ruleset_source": "acme/widgets",
        "parameters": {
            "required_status_checks": [{"context": one} for one in contexts],
            "strict_required_status_checks_policy": False,
        },
    }


def get_required_checks(call: Call) -> Answer:
    """Return what the protection of a branch requires; only administrators may see it."""
    home = repository_of(call)
    if not at_least(call, home, "admin"):
        raise Refusal(404, "Not Found")
    contexts = home.ci.protected.get(call.path["branch"])
    if contexts is None:
        raise Refusal(404, "Branch not protected")
    url = f"{call.urls.repository(home)}/branches/{call.path['branch']}/protection"
    return Answer(
        json={
            "url": f"{url}/required_status_checks",
            "contexts_url": f"{url}/required_status_checks/contexts",
            "strict": False,
            "contexts": contexts,
            "checks": [{"context": one, "app_id": None} for one in contexts],
        }
    )


ROUTES = (
    Route(method="GET", path=RULES, handle=list_rules),
    Route(method="GET", path=PROTECTION, handle=get_required_checks),
)

"""What a Jira says about itself and about the account that asks."""

from trunkline_shared.testing.jira.access import Access, unauthorized
from trunkline_shared.testing.jira.payloads import user_payload
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.stand_in.call import Answer, Call, Refusal, Route

_CALLED = {"cloud": "Cloud", "data_center": "Server"}


def server_routes(state: State) -> list[Route]:
    """Return the routes of this module."""

    def server_info(_: Call) -> Answer:
        called = state.deployment_type
        info: dict[str, object] = {
            "baseUrl": state.url,
            "version": "1001.0.0-SNAPSHOT" if state.is_cloud else "9.12.2",
            "versionNumbers": [1001, 0, 0] if state.is_cloud else [9, 12, 2],
            "deploymentType": _CALLED[state.flavour] if called is None else called,
            "serverTitle": "Jira",
        }
        if not info["deploymentType"]:
            del info["deploymentType"]
        return Answer(json=info)

    def myself(call: Call) -> Answer:
        user = Access(state).asker(call)
        payload = user_payload(state, user)
        if user is None or payload is None:
            raise Refusal(unauthorized())
        return Answer(json=payload | {"emailAddress": user.email, "locale": "en_US"})

    return [
        Route(method="GET", path="/rest/api/2/serverInfo", handle=server_info),
        Route(method="GET", path=f"{state.api}/myself", handle=myself),
    ]

"""Jira's ways to refuse, in its own words."""

from collections.abc import Mapping, Sequence

from trunkline_shared.testing.stand_in.call import Answer, Refusal

NO_ISSUE = {
    "cloud": "Issue does not exist or you do not have permission to see it.",
    "data_center": "Issue Does Not Exist",
}


def refused(
    status: int,
    messages: Sequence[str] = (),
    *,
    errors: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Refusal:
    """Return a refusal with Jira's body: messages about the whole, problems by field."""
    body = {"errorMessages": list(messages), "errors": dict(errors or {})}
    return Refusal(Answer(status=status, json=body, headers=dict(headers or {})))


def no_issue(flavour: str) -> Refusal:
    """Return the refusal of a key that is unknown, or that the account may not see."""
    return refused(404, [NO_ISSUE[flavour]])


def nowhere() -> Answer:
    """Return the page that stands at every address which is none."""
    return Answer(
        status=404,
        text="<html><head><title>Oops, you've found a dead link.</title></head></html>",
        headers={"content-type": "text/html;charset=UTF-8"},
    )

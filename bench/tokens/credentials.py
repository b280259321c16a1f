"""The secrets of the stand-ins, as the servers' environment has them."""

CREDENTIALS = {
    "GITHUB_TOKEN": "demo-token",
    "BASECAMP_ACCESS_TOKEN": "demo-token",
    "JIRA_USERNAME": "demo@acme.test",
    "JIRA_API_TOKEN": "demo-token",
}

"""One Jira: its address, credentials, flavour, refusals, and how to ask it."""

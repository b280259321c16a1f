"""Atlassian documents: what Jira Cloud keeps descriptions and comments in."""

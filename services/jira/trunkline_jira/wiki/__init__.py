"""Wiki text: what Jira Server and Data Center keep descriptions and comments in."""

"""Where a GitHub token comes from: a variable, gh, netrc, or a GitHub App."""

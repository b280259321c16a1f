"""Where a Basecamp token comes from: a variable, or a refresh token that is spent once a time."""

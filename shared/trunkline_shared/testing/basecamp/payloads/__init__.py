"""Things of Basecamp as its API sends them."""

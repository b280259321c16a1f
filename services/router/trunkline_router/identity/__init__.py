"""Who a caller is: API keys, job tokens, and tokens of an authorization server."""

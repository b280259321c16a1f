"""Who a caller is: API keys and tokens of an authorization server."""

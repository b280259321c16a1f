"""The router put together from one plan."""

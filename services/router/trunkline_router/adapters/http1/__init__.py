"""HTTP/1.1 as the router asks it: pooled connections, one exchange at a time on each."""

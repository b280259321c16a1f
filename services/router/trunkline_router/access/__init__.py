"""What a caller may do: rights, job tokens, contexts, limits, the record of writes."""

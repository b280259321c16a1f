"""One view of several workers: what each of them tells, put together."""

"""What says that Redis could not be asked: the client's words for it, and the event loop's."""

from redis.exceptions import RedisError

FAILURES = (RedisError, OSError, RuntimeError)
"""uvloop has a RuntimeError for who writes to a connection that was lost; the client passes it on."""

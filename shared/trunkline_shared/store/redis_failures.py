"""What says that Redis could not be asked: the client's words for it, and the event loop's."""

from redis.exceptions import RedisClusterException, RedisError

FAILURES = (RedisError, RedisClusterException, OSError, RuntimeError)
"""uvloop raises RuntimeError at a write to a lost connection, and the client passes it on.

What the client says of a Cluster that it does not find is none of its other errors.
"""

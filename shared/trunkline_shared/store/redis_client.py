"""A client of Redis: of one server, or of a Cluster."""

from redis.asyncio import Redis, RedisCluster

RedisClient = Redis | RedisCluster

-- Takes one of the places of a key, by the clock of the Redis that every process asks.
--
-- KEYS[1]  the places that are taken: ids, scored by the microsecond at which each is given up
-- ARGV     an id for the place, how many there are, for how many microseconds it is held at the most
-- Answers 1, or 0 when all of them are taken.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[3])), ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIRE', KEYS[1], math.ceil((tonumber(last[2]) - now) / 1000) + 1000)
return 1

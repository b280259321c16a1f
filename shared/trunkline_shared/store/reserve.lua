-- Reserves one turn: all of it at once, by the clock of the Redis that every process asks.
--
-- KEYS[1]  the turns of one key: ids, scored by the microsecond at which each begins
-- ARGV[1]  JSON, times in microseconds: id, interval, limits {{count, span}}, after, within,
--          memory, ahead, unused {id}, known {{id, age}}
-- Answers {1, wait, 0}, or, with nothing reserved, {0, wait, 1 when a limit is the reason}.

local key = KEYS[1]
local wish = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])

-- Lua writes a number this large as 1.7e+15 unless told how.
local function exact(number)
  return string.format('%.0f', number)
end

-- The score of the turn that is `count`-th from the end.
local function from_end(count)
  return tonumber(redis.call('ZRANGE', key, -count, -count, 'WITHSCORES')[2])
end

-- A turn further ahead than anybody may reserve was reserved before this clock was set back.
redis.call('ZREMRANGEBYSCORE', key, '(' .. exact(now + wish.ahead), '+inf')
redis.call('ZREMRANGEBYSCORE', key, '-inf', exact(now - wish.memory))

-- What the caller remembers and Redis may have lost (flushed, started anew, an older copy).
for _, known in ipairs(wish.known) do
  redis.call('ZADD', key, 'NX', exact(now - known[2]), known[1])
end
for _, id in ipairs(wish.unused) do
  redis.call('ZREM', key, id)
end

local apart = now
local allowed = now
local last = from_end(1)
if last then
  apart = last + wish.interval
  for _, limit in ipairs(wish.limits) do
    local before = from_end(limit[1])
    if before then
      allowed = math.max(allowed, before + limit[2])
    end
  end
end

local start = math.max(now + wish.after, apart, allowed)
local reserved = start - now < wish.within
if reserved then
  redis.call('ZADD', key, exact(start), wish.id)
end
redis.call('PEXPIRE', key, exact(math.ceil((wish.memory + wish.ahead) / 1000)))

local spent = not reserved and allowed > apart and allowed - now >= wish.within
return {reserved and 1 or 0, start - now, spent and 1 or 0}

-- Takes a token of each bucket, or none at all, by the clock of the Redis that every process asks.
--
-- KEYS     the buckets: how many tokens each held, and at which microsecond
-- ARGV     for each bucket: how many it holds at the most, and how many more come in a second
-- Answers {0, 0}, or, with nothing taken, {the number of the bucket that is empty for longest,
--         the microseconds until it has a token}.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local held = {}
local empty, longest = 0, 0

for i, key in ipairs(KEYS) do
  local size, per_s = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local known = redis.call('HMGET', key, 'tokens', 'at')
  held[i] = size
  if known[1] and known[2] then
    -- A clock that was set back gives nothing, and takes nothing away.
    local passed = math.max(now - tonumber(known[2]), 0) / 1000000
    held[i] = math.min(size, tonumber(known[1]) + passed * per_s)
  end
  local wait = math.ceil((1 - held[i]) / per_s * 1000000)
  if held[i] < 1 and wait > longest then
    empty, longest = i, wait
  end
end

if empty > 0 then
  return {empty, longest}
end
for i, key in ipairs(KEYS) do
  local size, per_s = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  redis.call('HSET', key, 'tokens', string.format('%.6f', held[i] - 1), 'at', string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil(size / per_s * 1000) + 1000)
end
return {0, 0}

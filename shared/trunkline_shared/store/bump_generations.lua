-- Replaces generations, all at once.
--
-- KEYS     the generations
-- ARGV     for how many milliseconds they are held, how long a generation is kept, a random text
-- Answers the time and whose Redis this is.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local info = redis.call('INFO', 'replication')

for i, key in ipairs(KEYS) do
  local before = redis.call('GET', key)
  local held = before and tonumber(string.match(before, ':(%d+)$')) or 0
  held = math.max(held, now + ARGV[1])
  local value = string.format('%s%04x:%.0f:%.0f', ARGV[3], i, now, held)
  -- A Redis that is full still deletes, and nobody can mint before it has room again.
  if redis.pcall('SET', key, value, 'PX', ARGV[2]).err then
    redis.call('DEL', key)
  end
end
return string.format('%.0f %s', now, string.match(info, 'master_replid:(%w+)') or '-')

-- Reads generations as they stand together, and mints those that nobody has.
--
-- KEYS[1]  the routers, scored by the millisecond of their last sign, or less than 0: none yet
-- KEYS[2]  the root: whose it is, its nonce, when all was bumped, until when all is held
-- KEYS[3]  and those after it: the generations
-- ARGV     who asks, after how many milliseconds a router is silent, how long a generation is kept,
--          a random text
-- Answers the time, the root and the generations, or `!` and why nothing kept may be used.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local info = redis.call('INFO', 'replication')
local root = redis.call('GET', KEYS[2])
local identity = root and string.match(root, '^%w+')

if not string.find(info, 'role:master', 1, true) then
  return '!replica'
end
-- Another identity: this Redis was started anew or has taken over, and may have lost anything.
if not identity or not string.find(info, 'master_replid:' .. identity, 1, true) then
  return '!moved'
end
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return '!unknown'
end
-- A sign from the future is none: the clock was set back.
if redis.call('ZCOUNT', KEYS[1], now - ARGV[2], now) < redis.call('ZCARD', KEYS[1]) then
  return '!silent'
end

-- A command of Lua's takes some thousands of arguments at the most.
local values = {}
for first = 3, #KEYS, 1000 do
  for _, value in ipairs(redis.call('MGET', unpack(KEYS, first, math.min(first + 999, #KEYS)))) do
    values[#values + 1] = value
  end
end
for i, value in ipairs(values) do
  if not value then
    value = ARGV[4] .. string.format('%04x', i)
    local kept = redis.pcall('SET', KEYS[i + 2], value, 'PX', ARGV[3])
    if kept.err then
      return '!full'
    end
    values[i] = value
  end
end
return string.format('%.0f %s %s', now, root, table.concat(values, ' '))

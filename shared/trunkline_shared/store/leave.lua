-- Ends what is known of a router; where its bumps may be missing, all that was kept is spoiled.
--
-- KEYS[1]  the routers, scored by the millisecond of their last sign, or less than 0: none since
-- KEYS[2]  the root: whose it is, its nonce, when all was bumped, until when all is held
-- ARGV     who leaves, the millisecond after which nothing is done any more, a random text, for how
--          many milliseconds all is held (less than 0: none of its bumps is missing)
-- Answers what became of it.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > tonumber(ARGV[2]) then
  return 'late'
end
local hold = tonumber(ARGV[4])
if hold >= 0 then
  local root = redis.call('GET', KEYS[2])
  local identity = root and string.match(root, '^%w+') or '-'
  local before = root and tonumber(string.match(root, ':(%d+)$')) or 0
  local held = math.max(before, now + hold)
  redis.call('SET', KEYS[2], string.format('%s:%s:%.0f:%.0f', identity, ARGV[3], now, held))
end
redis.call('ZREM', KEYS[1], ARGV[1])
return 'ok'

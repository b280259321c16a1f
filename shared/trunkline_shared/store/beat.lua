-- Notes a sign of a router, and forgets those without one for too long.
--
-- KEYS[1]  the routers, scored by the millisecond of their last sign, or less than 0: none since
-- KEYS[2]  the root: whose it is, its nonce, when all was bumped, until when all is held
-- ARGV     whose sign, the millisecond after which it is none any more, after how many
--          milliseconds others are forgotten (less than 0: never), a random text
-- Answers what became of it, the time, whose Redis this is, and the routers with their scores.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local info = redis.call('INFO', 'replication')
local identity = string.match(info, 'master_replid:(%w+)') or '-'

local function answer(word)
  local routers = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
  return string.format('%s %.0f %s %s', word, now, identity, table.concat(routers, ' '))
end

if not string.find(info, 'role:master', 1, true) then
  return answer('replica')
end
-- What lay in a socket of a Redis that stood still is no sign that its sender lives.
if now > tonumber(ARGV[2]) then
  return answer('late')
end
local root = redis.call('GET', KEYS[2])
if not root or string.match(root, '^%w+') ~= identity or not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return answer('rejoin')
end
redis.call('ZADD', KEYS[1], now, ARGV[1])

local forget = tonumber(ARGV[3])
local routers = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 1, forget >= 0 and #routers or 0, 2 do
  if math.abs(tonumber(routers[i + 1])) < now - forget then
    redis.call('ZREM', KEYS[1], routers[i])
    local held = tonumber(string.match(root, ':(%d+)$')) or 0
    redis.call('SET', KEYS[2], string.format('%s:%s:%.0f:%.0f', identity, ARGV[4], now, held))
  end
end
return answer('ok')

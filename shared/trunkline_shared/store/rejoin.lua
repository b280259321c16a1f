-- Makes a router known; where bumps may be missing, everything that was kept is spoiled.
--
-- KEYS[1]  the routers, scored by the millisecond of their last sign, or less than 0: none since
-- KEYS[2]  the root: whose it is, its nonce, when all was bumped, until when all is held
-- ARGV     who joins, the millisecond after which nothing is done any more, a random text, for how
--          many milliseconds all is held (less than 0: it joins for the first time in its life),
--          and the routers that it knows of
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
if now > tonumber(ARGV[2]) then
  return answer('late')
end

local root = redis.call('GET', KEYS[2])
local routers = redis.call('ZRANGE', KEYS[1], 0, -1)
local hold = tonumber(ARGV[4])
local moved = not root or string.match(root, '^%w+') ~= identity
local first = hold < 0
if moved or not first or redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  local bumped = now
  if first and not root and #routers == 0 then
    bumped = 0
  end
  -- What another one owed is held for as long as before.
  local before = root and tonumber(string.match(root, ':(%d+)$')) or 0
  local held = math.max(before, hold > 0 and now + hold or 0)
  redis.call('SET', KEYS[2], string.format('%s:%s:%.0f:%.0f', identity, ARGV[3], bumped, held))
end
if moved or #routers == 0 then
  -- The signs of those whom this Redis still knows may come from another one, or from an old file.
  for _, name in ipairs(routers) do
    redis.call('ZADD', KEYS[1], -now, name)
  end
  for i = 5, #ARGV do
    redis.call('ZADD', KEYS[1], 'NX', -now, ARGV[i])
  end
end
redis.call('ZADD', KEYS[1], now, ARGV[1])
return answer('ok')

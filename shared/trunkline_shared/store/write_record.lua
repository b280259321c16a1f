-- Writes a record, if it is still held by its owner.
--
-- KEYS[1]  who holds the record
-- KEYS[2]  the record
-- ARGV     the owner's random name, the value
-- Answers 1, or 0 when nothing was written.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[2], ARGV[2])
return 1

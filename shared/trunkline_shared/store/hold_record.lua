-- Takes the hold of a record; asked twice by the same owner, it is taken once.
--
-- KEYS[1]  who holds the record, for as long as the lease
-- ARGV     the owner's random name, the lease in milliseconds
-- Answers 1, or 0 when somebody else holds it.

if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return 1
end
return redis.call('GET', KEYS[1]) == ARGV[1] and 1 or 0

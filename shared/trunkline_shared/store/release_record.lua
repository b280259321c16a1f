-- Ends the hold of a record, if it is still its owner's.
--
-- KEYS[1]  who holds the record
-- ARGV     the owner's random name

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 1

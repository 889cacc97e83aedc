-- Drops an element whose execution is durable.
--   KEYS     hash of the element that is taken
--   ARGV     id of the element
--   answers  1, or 0 when another one is taken by now
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])

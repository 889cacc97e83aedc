-- Drops an element whose execution is durable.
--   KEYS     1 taken: hash of the element that was taken
--   ARGV     1 id of the element
--   answers  1, or 0 if the hash has another element by now
local taken, id = KEYS[1], ARGV[1]
if redis.call('HGET', taken, 'id') ~= id then
  return 0
end
return redis.call('DEL', taken)

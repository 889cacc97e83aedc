-- Takes the element at the head of a list for a trigger; the one that was taken and not dropped
-- comes again.
--   KEYS     list, hash of the element that is taken, list of those that are too long
--   ARGV     most bytes of an element
--   answers  {id, element}; {} when it was too long; nil when there is none. The id is the server's
--            time, which is another one also after the server has lost its memory.
local again = redis.call('HMGET', KEYS[2], 'id', 'element')
if again[1] and again[2] then
  return again
end
local element = redis.call('LPOP', KEYS[1])
if not element then
  return nil
end
if #element > tonumber(ARGV[1]) then
  redis.call('RPUSH', KEYS[3], element)
  return {}
end
local now = redis.call('TIME')
local id = now[1] .. string.format('%06d', tonumber(now[2]))
redis.call('HSET', KEYS[2], 'id', id, 'element', element)
return {id, element}

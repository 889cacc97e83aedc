-- Takes the element at the head of a list for a trigger. An element that was taken and not dropped is returned
-- again.
--   KEYS     1 list, 2 taken: hash of the element that was taken, 3 tooLong: list of elements that are too long
--   ARGV     1 maxBytes: longest element
--   answers  {id, element}; {} if it was too long; nil if there is none. The id is the server's time, which
--            differs also after the server has lost its memory.
local list, taken, tooLong = KEYS[1], KEYS[2], KEYS[3]
local maxBytes = tonumber(ARGV[1])
local previous = redis.call('HMGET', taken, 'id', 'element')
if previous[1] and previous[2] then
  return previous
end
local element = redis.call('LPOP', list)
if not element then
  return nil
end
if #element > maxBytes then
  redis.call('RPUSH', tooLong, element)
  return {}
end
local time = redis.call('TIME')
local id = time[1] .. string.format('%06d', tonumber(time[2]))
redis.call('HSET', taken, 'id', id, 'element', element)
return {id, element}

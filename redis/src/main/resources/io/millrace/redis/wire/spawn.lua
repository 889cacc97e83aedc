-- Makes the children of a parent: all of them once, or none.
-- KEYS  1 the parent's lock, 2 its hash, then for each child its hash and the list of those that wait
-- ARGV  1 worker's id, 2 field of the children's keys, 3 its value, 4 seconds to live, then for each
--       child its entry, the number of texts that follow, and field, value, ...
-- Answers {OK, value}; {MADE, the value that is there} when an earlier attempt has made them;
-- {LOST} when the lock is another's or nobody's; {GONE} when the parent's hash is away.
--@include unfit
if redis.pcall('GET', KEYS[1]) ~= ARGV[1] then
  return {'LOST'}
end
if redis.call('EXISTS', KEYS[2]) == 0 then
  return {'GONE'}
end
local made = redis.call('HGET', KEYS[2], ARGV[2])
if made and made ~= '[]' then
  return {'MADE', made}
end
local lists = {}
for child = 3, #KEYS, 2 do
  local list = KEYS[child + 1]
  local fault = not lists[list] and unfit(list, 'list')
  if fault then
    return fault
  end
  lists[list] = true
end
local at = 5
for child = 3, #KEYS, 2 do
  local texts = tonumber(ARGV[at + 1])
  for i = at + 2, at + 1 + texts, 2 do
    redis.call('HSET', KEYS[child], ARGV[i], ARGV[i + 1])
  end
  redis.call('EXPIRE', KEYS[child], ARGV[4])
  redis.call('RPUSH', KEYS[child + 1], ARGV[at])
  at = at + 2 + texts
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return {'OK', ARGV[3]}

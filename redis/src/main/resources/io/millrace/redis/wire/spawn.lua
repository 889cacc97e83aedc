-- Creates the children of a parent: all of them once, or none.
-- KEYS  1 lock: the parent's lock, 2 parent: its hash, then for each child its hash and its waiting list
-- ARGV  1 worker: id of the worker, 2 childrenField: field of the parent that holds the children's keys,
--       3 childrenKeys: its value, 4 jobSeconds: time to live of a job, then for each child its id, the
--       number of texts that follow, and field, value, ...
-- Answers {OK, value}; {ALREADY_CREATED, existing value} if an earlier attempt has created them; {LOST} if the
-- worker does not hold the lock; {GONE} if the parent's hash does not exist.
--@include unfit
local lock, parent, firstChild = KEYS[1], KEYS[2], 3
local worker, childrenField, childrenKeys, jobSeconds = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local firstChildArg = 5
if redis.pcall('GET', lock) ~= worker then
  return {'LOST'}
end
if redis.call('EXISTS', parent) == 0 then
  return {'GONE'}
end
local existing = redis.call('HGET', parent, childrenField)
if existing and existing ~= '[]' then
  return {'ALREADY_CREATED', existing}
end
local checked = {}
for i = firstChild, #KEYS, 2 do
  local waiting = KEYS[i + 1]
  local fault = not checked[waiting] and unfit(waiting, 'list')
  if fault then
    return fault
  end
  checked[waiting] = true
end
local at = firstChildArg
for i = firstChild, #KEYS, 2 do
  local job, waiting = KEYS[i], KEYS[i + 1]
  local id, texts = ARGV[at], tonumber(ARGV[at + 1])
  for field = at + 2, at + 1 + texts, 2 do
    redis.call('HSET', job, ARGV[field], ARGV[field + 1])
  end
  redis.call('EXPIRE', job, jobSeconds)
  redis.call('RPUSH', waiting, id)
  at = at + 2 + texts
end
redis.call('HSET', parent, childrenField, childrenKeys)
return {'OK', childrenKeys}

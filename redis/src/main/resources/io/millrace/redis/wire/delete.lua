-- Deletes a job in whatever list it is; a worker that processes it loses its lock.
-- KEYS  1 job, 2 metadata: its metadata hash, 3... the lists, then the sorted sets, that may have it,
--       then its locks, as many of each as ARGV says, then the lists of its lookup values
-- ARGV  1 id, 2 lists: number of lists, 3 sets: of sorted sets, 4 locks: of locks
-- Answers 1 if the hash existed, 0 otherwise; its entries are removed in both cases.
--@include push
local job, metadata = KEYS[1], KEYS[2]
local id, lists, sets, locks = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local at = 3
for i = at, at + lists - 1 do
  local queue = string.match(KEYS[i], '^queue:(.*):waiting$')
  if queue then beforeRemoval(KEYS[i], id, 'millrace:queue:' .. queue .. ':') end
  redis.call('LREM', KEYS[i], 0, id)
end
at = at + lists
for i = at, at + sets - 1 do redis.call('ZREM', KEYS[i], id) end
at = at + sets
for i = at, at + locks - 1 do redis.call('DEL', KEYS[i]) end
at = at + locks
for i = at, #KEYS do redis.call('LREM', KEYS[i], 0, id) end
local holderKey = redis.pcall('HGET', metadata, 'unique')
if type(holderKey) == 'string' and redis.call('GET', holderKey) == id then
  redis.call('DEL', holderKey)
end
redis.call('DEL', metadata)
return redis.call('DEL', job)

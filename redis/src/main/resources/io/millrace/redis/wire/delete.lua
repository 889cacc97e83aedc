-- Deletes a job wherever it stands; a worker that has it loses its lock.
-- KEYS  1 job, 2 its meta hash, 3... the lists, then the sets, that may hold its entry, its locks, as many of
--       each as ARGV tells, then the lists of its lookup values
-- ARGV  1 entry, 2 number of lists, 3 of sets, 4 of locks
-- Answers 1 when there was a hash, 0 otherwise; entries are removed in both cases.
--@include push
local entry, lists, sets, locks = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local at = 3
for i = at, at + lists - 1 do
  local queue = string.match(KEYS[i], '^queue:(.*):waiting$')
  if queue then leaving(KEYS[i], entry, 'millrace:queue:' .. queue .. ':') end
  redis.call('LREM', KEYS[i], 0, entry)
end
at = at + lists
for i = at, at + sets - 1 do redis.call('ZREM', KEYS[i], entry) end
at = at + sets
for i = at, at + locks - 1 do redis.call('DEL', KEYS[i]) end
at = at + locks
for i = at, #KEYS do redis.call('LREM', KEYS[i], 0, entry) end
local unique = redis.pcall('HGET', KEYS[2], 'unique')
if type(unique) == 'string' and redis.call('GET', unique) == entry then redis.call('DEL', unique) end
redis.call('DEL', KEYS[2])
return redis.call('DEL', KEYS[1])

-- Puts back, or parks, a job whose worker died.
--   keys: as queue.lua tells
--   arguments: as queue.lua tells (the worker's id: that of the lock that does not count, or ''),
--     then
--     1 entry             2 how often it may be put back
--     3 how many failed jobs are kept in the list of dead ones
--     4 the queue's name as JSON
--     5... field, value, field, value; stored when it is parked
--   answers: a status, and how often the job has been put back, or false
--     RECOVERED  it is at the head of those that wait
--     PARKED     it has failed: it stalled too often
--     ENDED      its last worker had stored the end of it already; the entry is dropped
--     GONE       the job's hash is away, or no hash; the entry is dropped
--     HELD       a worker has locked it; nothing is written
--     MOVED      it is not among those that are worked on any more; nothing is written
--@include queue
--@include push
--@include bury
local entry = ARGV[own]
local job = KEYS[5] .. entry
local meta = KEYS[6] .. entry
local owner = redis.pcall('GET', KEYS[4] .. entry)
if type(owner) == 'string' and owner ~= ARGV[2] then
  return {'HELD', false}
end
local fault = unfit(KEYS[1], 'list', KEYS[3] .. 'last', 'hash', KEYS[3] .. 'dead', 'zset')
if fault then
  return fault
end
if redis.call('LREM', KEYS[2], 1, entry) == 0 then
  return {'MOVED', false}
end
redis.call('DEL', KEYS[4] .. entry)
local ends = redis.pcall('HMGET', job, 'done', 'failed', 'failedQueue', 'completed-queue')
if ends.err or redis.call('EXPIRE', job, ARGV[4]) == 0 then
  return {'GONE', false}
end
local here = ARGV[own + 3]
if ends[1] == 'true' and (ends[2] == 'true' and ends[3] == here or ends[4] == here) then
  return {'ENDED', false}
end
local stalls = redis.pcall('HINCRBY', meta, 'stalls:' .. ARGV[1], 1)
if type(stalls) == 'table' then
  redis.call('DEL', meta)
  stalls = redis.call('HINCRBY', meta, 'stalls:' .. ARGV[1], 1)
end
redis.call('EXPIRE', meta, ARGV[4])
if stalls <= tonumber(ARGV[own + 1]) then
  putBack(KEYS[1], entry, KEYS[3], redis.call('HGET', meta, 'priority'))
  return {'RECOVERED', stalls}
end
redis.call('HSET', job, unpack(ARGV, own + 4))
local unique = redis.call('HGET', meta, 'unique')
forget(entry, unique or '')
bury(entry, ARGV[own + 2])
return {'PARKED', stalls}

-- Recovers a stalled job, which no worker has: returns it to the head of the waiting list, or fails it if it has
-- stalled too often.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, where the worker is the one whose lock is ignored, or ''; then
--     1 id
--     2 maxStalls  how often the job may be recovered
--     3 maxDead    number of dead jobs to keep
--     4 queueJson  the queue's name as JSON
--     5...         field, value, field, value; stored if the job fails
--   answers: a status, and how often the job has stalled, or false
--     RECOVERED       the job is at the head of the waiting list
--     FAILED          the job has failed and is among the dead jobs
--     ALREADY_STORED  its last worker had already stored its outcome; the entry is removed
--     GONE            the job's hash does not exist, or is not a hash; the entry is removed
--     LOCKED          a worker has locked it; nothing is written
--     MOVED           it is no longer in processing; nothing is written
--@include queue
--@include push
--@include bury
local id, maxStalls = ARGV[firstArg], tonumber(ARGV[firstArg + 1])
local maxDead, queueJson, firstField = ARGV[firstArg + 2], ARGV[firstArg + 3], firstArg + 4
local job, metadata = jobPrefix .. id, metadataPrefix .. id
local owner = redis.pcall('GET', lockPrefix .. id)
if type(owner) == 'string' and owner ~= worker then
  return {'LOCKED', false}
end
local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash', queuePrefix .. 'dead', 'zset')
if fault then
  return fault
end
if redis.call('LREM', processing, 1, id) == 0 then
  return {'MOVED', false}
end
redis.call('DEL', lockPrefix .. id)
local values = redis.pcall('HMGET', job, 'done', 'failed', 'failedQueue', 'completed-queue')
if values.err or redis.call('EXPIRE', job, jobSeconds) == 0 then
  return {'GONE', false}
end
local done, failed, failedQueue, completedQueue = values[1], values[2], values[3], values[4]
if done == 'true' and (failed == 'true' and failedQueue == queueJson or completedQueue == queueJson) then
  return {'ALREADY_STORED', false}
end
local stalls = redis.pcall('HINCRBY', metadata, 'stalls:' .. queue, 1)
if type(stalls) == 'table' then
  redis.call('DEL', metadata)
  stalls = redis.call('HINCRBY', metadata, 'stalls:' .. queue, 1)
end
redis.call('EXPIRE', metadata, jobSeconds)
if stalls <= maxStalls then
  pushFirst(waiting, id, queuePrefix, redis.call('HGET', metadata, 'priority'))
  return {'RECOVERED', stalls}
end
redis.call('HSET', job, unpack(ARGV, firstField))
local holderKey = redis.call('HGET', metadata, 'unique')
releaseUnique(id, holderKey or '')
bury(id, maxDead)
return {'FAILED', stalls}

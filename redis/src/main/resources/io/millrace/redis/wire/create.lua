-- Creates a delayed, prioritized or unique job, or one under an id of the caller's own.
-- KEYS  1 job, 2 metadata: its metadata hash, 3 waiting, 4 delayed,
--       5 holderKey: holds the id of the job with this unique key; the job's key if it has none, since users
--       with few rights may access no other keys, 6... the lists of its lookup values
-- ARGV  1 id, 2 queuePrefix: prefix of the queue's own keys, 3 jobPrefix: prefix of the
--       jobs' hashes, an id follows, 4 jobSeconds: time to live, 5 delay in ms, 6 priority: level, "0" for
--       none, 7 lastQueues: the queues without a next one, see finished.lua, 8... field, value, ...
-- Answers {id, 1}; {id of the other job, 0} if a job with this unique key has not finished, nothing is created;
-- {id, 0} if a job with this id exists.
--@include finished
--@include push
--@include unfit
--@include time
local job, metadata, waiting, delayed, firstLookup = KEYS[1], KEYS[2], KEYS[3], KEYS[4], 6
local holderKey = KEYS[5] ~= job and KEYS[5]
local id, queuePrefix, jobPrefix = ARGV[1], ARGV[2], ARGV[3]
local jobSeconds, delay, priority, lastQueues = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], ARGV[7]
local firstField = 8
if redis.call('EXISTS', job) == 1 then return {id, 0} end
if holderKey then
  local holder = redis.call('GET', holderKey)
  if holder and not finished(jobPrefix .. holder, lastQueues) then
    return {holder, 0}
  end
end

local fault = unfit(metadata, 'hash', waiting, 'list', queuePrefix .. 'last', 'hash', delayed, 'zset')
for i = firstLookup, #KEYS do fault = fault or unfit(KEYS[i], 'list') end
if fault then return fault end

-- The time to live starts after the delay.
local seconds = jobSeconds + math.ceil(delay / 1000)
for i = firstField, #ARGV, 2 do redis.call('HSET', job, ARGV[i], ARGV[i + 1]) end
redis.call('EXPIRE', job, seconds)
if holderKey then
  redis.call('SET', holderKey, id, 'EX', seconds)
  redis.call('HSET', metadata, 'unique', holderKey)
end
if priority ~= '0' then
  redis.call('HSET', metadata, 'priority', priority)
end
redis.call('EXPIRE', metadata, seconds)
for i = firstLookup, #KEYS do
  redis.call('RPUSH', KEYS[i], id)
  -- The time is never shortened, since the list may have a job with a longer delay.
  if redis.call('TTL', KEYS[i]) < seconds then redis.call('EXPIRE', KEYS[i], seconds) end
end
if delay > 0 then
  redis.call('ZADD', delayed, string.format('%.0f', now() + delay), id)
else
  push(waiting, id, queuePrefix, priority)
end
return {id, 1}

-- Requeues dead jobs: moves them to the waiting list, as if they had not failed and not been attempted.
-- KEYS  1 dead, 2 waiting
-- ARGV  1 queuePrefix: prefix of the queue's own keys, 2 jobPrefix: prefix of the jobs' hashes,
--       3 metadataPrefix: prefix of the metadata hashes; an id follows both, 4 queue: its name,
--       5 jobSeconds: time to live of a job, 6 maxMoved: most jobs to move, 7 lastQueues: the queues without a
--       next one, see finished.lua, 8... their ids; none for the oldest
-- Answers {moved, dropped, held}: the hashes of dropped jobs do not exist; held jobs stay dead, since another
-- job has their unique key.
--@include finished
--@include push
--@include unfit
--@include renew
--@include time
local dead, waiting = KEYS[1], KEYS[2]
local queuePrefix, jobPrefix, metadataPrefix, queue = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local jobSeconds, maxMoved, lastQueues, firstId = ARGV[5], tonumber(ARGV[6]), ARGV[7], 8
local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash')
if fault then
  return fault
end
local ids = {}
for i = firstId, #ARGV do ids[#ids + 1] = ARGV[i] end
if #ids == 0 then
  ids = redis.call('ZRANGE', dead, 0, maxMoved - 1)
end
local moved, dropped, held = 0, 0, 0
for _, id in ipairs(ids) do
  local job, metadata = jobPrefix .. id, metadataPrefix .. id
  local values = redis.pcall('HMGET', metadata, 'priority', 'unique')
  if values.err then
    redis.call('DEL', metadata)
    values = {}
  end
  local priority, holderKey = values[1], values[2]
  local holder = holderKey and redis.call('GET', holderKey)
  if holder and holder ~= id and not finished(jobPrefix .. holder, lastQueues)
      and redis.call('ZSCORE', dead, id) then
    held = held + 1
  elseif redis.call('ZREM', dead, id) == 1 then
    if redis.call('EXISTS', job) == 0 then
      dropped = dropped + 1
    else
      redis.call('HDEL', job, 'done', 'failed', 'failedQueue', 'failedErrorMsg')
      redis.call('HDEL', metadata, 'attempts:' .. queue, 'since:' .. queue, 'stalls:' .. queue)
      if holderKey then redis.call('SET', holderKey, id, 'EX', jobSeconds) end
      renew(job, metadata, jobSeconds)
      push(waiting, id, queuePrefix, priority)
      moved = moved + 1
    end
  end
end
if dropped > 0 then
  redis.pcall('HINCRBY', queuePrefix .. 'totals', 'expired', dropped)
  redis.pcall('HSET', queuePrefix .. 'totals', 'expiredAt', string.format('%.0f', now()))
end
return {moved, dropped, held}

-- Fails a job for good, or has it retried.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 entry
--     2 leaseNext  '1' to lease the next waiting job too
--     3 action     fail (for good), retry, or later (which does not count as an attempt)
--     4 delay      ms until it can be leased again
--     5 reason     shown to operators
--     6 priority   priority level, '' for none
--     7 uniqueKey  key that holds the job's unique key, '' for none
--     8 maxDead    number of dead jobs to keep
--     9 ticket     ticket of the lease, '' for none
--     10...        for fail: field, value, field, value to store
--   answers: a status, see complete.lua, and the result of the next lease, see leasing.lua, or false
--@include queue
--@include push
--@include leasing
--@include bury
--@include renew
local entry, leaseNext, action = ARGV[firstArg], ARGV[firstArg + 1], ARGV[firstArg + 2]
local delay, reason, priority = tonumber(ARGV[firstArg + 3]), ARGV[firstArg + 4], ARGV[firstArg + 5]
local uniqueKey, maxDead, ticket = ARGV[firstArg + 6], ARGV[firstArg + 7], ARGV[firstArg + 8]
local firstField = firstArg + 9
local job, metadata = jobPrefix .. entry, metadataPrefix .. entry

local function comeBack()
  local time = now()
  if unfit(metadata, 'hash') then
    redis.call('DEL', metadata)
  end
  if action == 'retry' then
    if type(redis.pcall('HINCRBY', metadata, 'attempts:' .. queue, 1)) == 'table' then
      redis.call('HSET', metadata, 'attempts:' .. queue, 1)
    end
    redis.call('HSETNX', metadata, 'since:' .. queue, string.format('%.0f', time))
  end
  redis.call('HSET', metadata, 'note', reason, 'toldIn', queue)
  redis.call('HDEL', metadata, 'progress')
  redis.call('EXPIRE', metadata, jobSeconds)
  renew(job, metadata, jobSeconds + math.ceil(delay / 1000))
  if delay > 0 then
    redis.call('ZADD', delayed, string.format('%.0f', time + delay), entry)
  else
    push(waiting, entry, queuePrefix, priority ~= '' and priority)
  end
  return 'OK'
end

local isOwner, paused, alreadyStored = leaseState(entry, ticket)

local function storeOutcome()
  if not isOwner then
    return 'LOST'
  end
  local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash', delayed, 'zset',
    queuePrefix .. 'dead', 'zset')
  if fault then
    return fault
  end
  local exists = redis.call('EXISTS', job) == 1
  local removed = redis.call('LREM', processing, 1, entry)
  redis.call('DEL', lockPrefix .. entry)
  if removed == 0 then
    return 'INVALID'
  end
  if not exists then
    return 'GONE'
  end
  if action ~= 'fail' then
    return comeBack()
  end
  local stored = store(job, firstField)
  if type(stored) == 'table' then
    return 'GONE'
  end
  releaseUnique(entry, uniqueKey)
  bury(entry, maxDead)
  return 'OK'
end

return alreadyStored and {'OK', false} or outcomeReply(storeOutcome(), leaseNext, paused, ticket)

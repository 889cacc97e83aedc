-- Lets a job come back to its queue, at once or after a delay.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 id
--     2 leaseNext  '1' to lease the next waiting job too
--     3 hasFailed  '1' if the attempt has failed and the job is retried; '0' if its handler has asked for it,
--                  which does not count as an attempt
--     4 delay      ms until it can be leased again
--     5 reason     shown to operators
--     6 priority   priority level, '' for none
--     7 ticket     ticket of the lease, '' for none
--   answers: a status, see complete.lua, and the result of the next lease, see leasing.lua, or false
--@include queue
--@include push
--@include leasing
--@include end_lease
--@include renew
local id, leaseNext, hasFailed = ARGV[firstArg], ARGV[firstArg + 1], ARGV[firstArg + 2] == '1'
local delay, reason, priority = tonumber(ARGV[firstArg + 3]), ARGV[firstArg + 4], ARGV[firstArg + 5]
local ticket = ARGV[firstArg + 6]
local job, metadata = jobPrefix .. id, metadataPrefix .. id

local isOwner, paused, alreadyStored = leaseState(id, ticket)

local function storeOutcome()
  local refusal = endLease(id, isOwner, waiting, 'list', queuePrefix .. 'last', 'hash', delayed, 'zset')
  if refusal then
    return refusal
  end
  local time = now()
  if unfit(metadata, 'hash') then
    redis.call('DEL', metadata)
  end
  if hasFailed then
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
    redis.call('ZADD', delayed, string.format('%.0f', time + delay), id)
  else
    push(waiting, id, queuePrefix, priority ~= '' and priority)
  end
  return 'OK'
end

return alreadyStored and {'OK', false} or outcomeReply(storeOutcome(), leaseNext, paused, ticket)

-- Stores a result, moves the job to its next queue, and may lease the next job of this queue.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 id
--     2 leaseNext    '1' to lease the next waiting job too
--     3 nextWaiting  waiting list of the next queue, '' at the end of the flow
--     4 nextPrefix   prefix of the next queue's own keys
--     5 priority     priority level, '' for none
--     6 holderKey    key that holds the id of the job with its unique key, '' for none
--     7 hasMetadata  '1' if the lease has read a value of the metadata hash, see leasing.lua
--     8 ticket       ticket of the lease, '' for none
--     9...           field, value, field, value; at least completed-queue
--   answers: a status, and the result of the next lease (see leasing.lua), or false
--     OK       the result is stored, perhaps by an earlier call whose reply was lost; the job that the earlier
--              call leased is not returned again
--     LOST     the worker does not hold the lock; nothing is written
--     INVALID  another program has moved the job away; only the lock is removed
--     GONE     the job's hash does not exist, or is not a hash; the entry is removed
--@include queue
--@include push
--@include leasing
local id, leaseNext = ARGV[firstArg], ARGV[firstArg + 1]
local nextWaiting, nextPrefix = ARGV[firstArg + 2], ARGV[firstArg + 3]
local priority, holderKey = ARGV[firstArg + 4], ARGV[firstArg + 5]
local hasMetadata, ticket = ARGV[firstArg + 6] == '1', ARGV[firstArg + 7]
local firstField = firstArg + 8
local job = jobPrefix .. id

local isOwner, paused, alreadyStored = leaseState(id, ticket)

-- Most jobs have no priority. They are appended to the next queue before it is known that they are still in
-- processing, since the push also checks the type of the list. undoPush() removes them if the completion is invalid.
local hasNext, isPlain = nextWaiting ~= '', priority == ''

-- pushPlain(): appends the job to the next queue. Returns an error if that is not a list, false otherwise.
local function pushPlain()
  local pushed = redis.pcall('RPUSH', nextWaiting, id)
  return type(pushed) == 'table' and pushed
end

-- undoPush(): removes the job that pushPlain has appended.
local function undoPush()
  redis.call('RPOP', nextWaiting)
end

-- checkNext(): returns an error if a key of the next queue has another type than push expects, false otherwise.
local function checkNext()
  return unfit(nextWaiting, 'list', nextPrefix .. 'last', 'hash')
end

-- relock(fault): restores the lock, so that the worker can retry.
local function relock(fault)
  redis.call('SET', lockPrefix .. id, worker, 'EX', lockSeconds)
  return fault
end

local function storeOutcome()
  if not isOwner then
    return 'LOST'
  end
  local exists = redis.call('EXISTS', job) == 1
  -- The first write: a server without free memory lets a script continue that has started to write.
  redis.call('DEL', lockPrefix .. id)
  local isPushed, fault = exists and hasNext and isPlain, false
  if isPushed then
    fault = pushPlain()
  elseif exists and hasNext then
    fault = checkNext()
  end
  if fault then
    return relock(fault)
  end
  local removed = redis.pcall('LREM', processing, 1, id)
  local stored = removed == 1 and exists and store(job, firstField)
  if isPushed and type(stored) ~= 'number' then
    undoPush()
  end
  if type(removed) == 'table' then
    return relock(removed)
  end
  if removed == 0 then
    return 'INVALID'
  end
  if type(stored) ~= 'number' then
    return 'GONE'
  end
  if hasMetadata then
    redis.pcall('HDEL', metadataPrefix .. id,
      'attempts:' .. queue, 'since:' .. queue, 'stalls:' .. queue)
  end
  if not hasNext then
    releaseUnique(id, holderKey)
  elseif not isPlain then
    push(nextWaiting, id, nextPrefix, priority)
  end
  return 'OK'
end

return alreadyStored and {'OK', false} or outcomeReply(storeOutcome(), leaseNext, paused, ticket)

-- Fails a job for good.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 id
--     2 leaseNext  '1' to lease the next waiting job too
--     3 holderKey  key that holds the id of the job with its unique key, '' for none
--     4 maxDead    number of dead jobs to keep
--     5 ticket     ticket of the lease, '' for none
--     6...         field, value, field, value to store
--   answers: a status, see complete.lua, and the result of the next lease, see leasing.lua, or false
--@include queue
--@include leasing
--@include end_lease
--@include bury
local id, leaseNext, holderKey = ARGV[firstArg], ARGV[firstArg + 1], ARGV[firstArg + 2]
local maxDead, ticket, firstField = ARGV[firstArg + 3], ARGV[firstArg + 4], firstArg + 5

local isOwner, paused, alreadyStored = leaseState(id, ticket)

local function storeOutcome()
  local refusal = endLease(id, isOwner, queuePrefix .. 'dead', 'zset')
  if refusal then
    return refusal
  end
  local stored = store(jobPrefix .. id, firstField)
  if type(stored) == 'table' then
    return 'GONE'
  end
  releaseUnique(id, holderKey)
  bury(id, maxDead)
  return 'OK'
end

return alreadyStored and {'OK', false} or outcomeReply(storeOutcome(), leaseNext, paused, ticket)

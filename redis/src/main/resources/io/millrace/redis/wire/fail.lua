-- Ends a job that failed, or has it tried again.
--   keys: as queue.lua tells
--   arguments: as queue.lua tells, then
--     1 entry             2 '1' to take the next job that waits, too
--     3 what to do: fail (for good), retry, or later (which counts as no attempt)
--     4 milliseconds to wait before it can be taken again
--     5 why, shown to operators
--     6 priority, '' for none          7 key that holds the job's unique key, '' for none
--     8 how many failed jobs are kept in the list of dead ones
--     9 ticket of the lease, '' for none
--     10... field, value, field, value; stored when it fails for good; or the field that counts what
--     is tried again, if there is such
--   answers: a status as complete.lua tells, and what take.lua tells, or false
--@include queue
--@include push
--@include take
--@include bury
--@include renew
local entry = ARGV[own]
local job = KEYS[5] .. entry
local how = ARGV[own + 2]

local function again()
  local meta = KEYS[6] .. entry
  local at = now()
  if unfit(meta, 'hash') then
    redis.call('DEL', meta)
  end
  if how == 'retry' then
    if type(redis.pcall('HINCRBY', meta, 'attempts:' .. ARGV[1], 1)) == 'table' then
      redis.call('HSET', meta, 'attempts:' .. ARGV[1], 1)
    end
    if ARGV[own + 9] then
      redis.pcall('HINCRBY', job, ARGV[own + 9], 1)
    end
    redis.call('HSETNX', meta, 'since:' .. ARGV[1], string.format('%.0f', at))
  end
  redis.call('HSET', meta, 'note', ARGV[own + 4], 'toldIn', ARGV[1])
  redis.call('HDEL', meta, 'progress')
  redis.call('EXPIRE', meta, ARGV[4])
  local delay = tonumber(ARGV[own + 3])
  renew(job, meta, ARGV[4] + math.ceil(delay / 1000))
  if delay > 0 then
    redis.call('ZADD', KEYS[7], string.format('%.0f', at + delay), entry)
  else
    local priority = ARGV[own + 5]
    push(KEYS[1], entry, KEYS[3], priority ~= '' and priority)
  end
  return 'OK'
end

local ticket = ARGV[own + 8]
local mine, paused, told = standing(entry, ticket)

local function finish()
  if not mine then
    return 'LOST'
  end
  local fault = unfit(KEYS[1], 'list', KEYS[3] .. 'last', 'hash', KEYS[7], 'zset', KEYS[3] .. 'dead',
    'zset')
  if fault then
    return fault
  end
  local there = redis.call('EXISTS', job)
  local removed = redis.call('LREM', KEYS[2], 1, entry)
  redis.call('DEL', KEYS[4] .. entry)
  if removed == 0 then
    return 'INVALID'
  end
  if there == 0 then
    return 'GONE'
  end
  if how ~= 'fail' then
    return again()
  end
  local stored = store(job, own + 9)
  if type(stored) == 'table' then
    return 'GONE'
  end
  forget(entry, ARGV[own + 6])
  bury(entry, ARGV[own + 7])
  return 'OK'
end

return told and {'OK', false} or reply(finish(), ARGV[own + 1], paused, ticket)

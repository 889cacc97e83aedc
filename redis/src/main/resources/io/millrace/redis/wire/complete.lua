-- Stores a result, hands the job on, and may take the next one.
--   keys: as queue.lua tells
--   arguments: as queue.lua tells, then
--     1 entry             2 '1' to take the next job that waits, too
--     3 list of those that wait in the next queue, '' at the end of the flow
--     4 begin of the next queue's own keys
--     5 priority, '' for none          6 key that holds the job's unique key, '' for none
--     7 '1' when there is more to know of the job than its fields
--     8 ticket of the lease, '' for none
--     9... field, value, field, value; at least completed-queue
--   answers: a status, and what take.lua tells, or false
--     OK       all is done, perhaps by an earlier try; that one's next job is not told again
--     LOST     the lock is another's or nobody's; nothing is written
--     INVALID  somebody has moved the entry away; nothing is written, the lock is removed
--     GONE     the job's hash is away, or no hash; the entry is dropped
--@include queue
--@include push
--@include take
local entry = ARGV[own]
local job = KEYS[5] .. entry
local waiting = ARGV[own + 2]

local ticket = ARGV[own + 7]
local mine, paused, told = standing(entry, ticket)
local priority = ARGV[own + 4]

-- handOn(): an error when something of another type stands there. Most jobs have no priority: theirs
-- are appended at once, which is taken back should the completion be invalid.
local function handOn()
  if waiting == '' then
    return nil
  elseif priority == '' then
    local done = redis.pcall('RPUSH', waiting, entry)
    return type(done) == 'table' and done or nil
  end
  return unfit(waiting, 'list', ARGV[own + 3] .. 'last', 'hash')
end

-- undone(fault): the worker keeps its lock and tries again.
local function undone(fault)
  redis.call('SET', KEYS[4] .. entry, ARGV[2], 'EX', ARGV[3])
  return fault
end

local function finish()
  if not mine then
    return 'LOST'
  end
  local there = redis.call('EXISTS', job) == 1
  -- First, for a full server lets a script go on that has begun to write.
  redis.call('DEL', KEYS[4] .. entry)
  local fault = there and handOn()
  if fault then
    return undone(fault)
  end
  local removed = redis.pcall('LREM', KEYS[2], 1, entry)
  local stored = removed == 1 and there and store(job, own + 8)
  if type(stored) ~= 'number' and there and waiting ~= '' and priority == '' then
    redis.call('RPOP', waiting)
  end
  if type(removed) == 'table' then
    return undone(removed)
  end
  if removed == 0 then
    return 'INVALID'
  end
  if type(stored) ~= 'number' then
    return 'GONE'
  end
  if ARGV[own + 6] == '1' then
    redis.pcall('HDEL', KEYS[6] .. entry,
      'attempts:' .. ARGV[1], 'since:' .. ARGV[1], 'stalls:' .. ARGV[1])
  end
  if waiting == '' then
    forget(entry, ARGV[own + 5])
  elseif priority ~= '' then
    push(waiting, entry, ARGV[own + 3], priority)
  end
  return 'OK'
end

return told and {'OK', false} or reply(finish(), ARGV[own + 1], paused, ticket)

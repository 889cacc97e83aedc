-- Stores a result, hands the job on, and may take the next one.
--   keys: as queue.lua tells
--   arguments: as queue.lua tells, then
--     1 entry             2 '1' to take the next job that waits, too
--     3 list of those that wait in the next queue, '' at the end of the flow
--     4 begin of the next queue's own keys
--     5 priority, '' for none          6 key that holds the job's unique key, '' for none
--     7 '1' when the job has been tried before in this queue
--     8... field, value, field, value; at least completed-queue
--   answers: a status, and what take.lua tells, or false
--     OK       all is done
--     LOST     the lock is another's or nobody's; nothing is written
--     INVALID  somebody has moved the entry away; nothing is written, the lock is removed
--     GONE     the job's hash is away, or no hash; the entry is dropped
--@include queue
--@include push
--@include take
local entry = ARGV[own]
local job = KEYS[5] .. entry
local waiting = ARGV[own + 2]

local function finish()
  if not locked(entry) then
    return 'LOST'
  end
  local priority = ARGV[own + 4]
  local fault = waiting ~= '' and (unfit(waiting, 'list')
    or priority ~= '' and unfit(ARGV[own + 3] .. 'last', 'hash'))
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
  local stored = redis.pcall('HSET', job, unpack(ARGV, own + 7))
  if type(stored) == 'table' then
    return 'GONE'
  end
  if ARGV[own + 6] == '1' then
    redis.pcall('HDEL', KEYS[6] .. entry,
      'attempts:' .. ARGV[1], 'since:' .. ARGV[1], 'stalls:' .. ARGV[1])
  end
  if waiting == '' then
    forget(entry, ARGV[own + 5])
  else
    push(waiting, entry, ARGV[own + 3], priority ~= '' and priority)
  end
  return 'OK'
end

return reply(finish(), ARGV[own + 1])

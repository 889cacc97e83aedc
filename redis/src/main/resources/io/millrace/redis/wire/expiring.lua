-- Searches the next page of the jobs of a queue for those that are about to expire. All processes share one
-- round: the state says where the next page starts, and when.
-- KEYS  1 state, 2 totals of the queue, then its lists and sorted sets
-- ARGV  1 queuePrefix: prefix of the queue's own keys, 2 jobPrefix: prefix of the jobs' hashes, an id
--       follows, 3 page: number of jobs of a page, 4 minSeconds: jobs with at most as many left are answered,
--       5 interval: ms from the start of one round to the next, 6 removable: number of the first keys whose
--       entries may be removed if their job does not exist, state and totals included,
--       7 firstSet: position of the first sorted set, 8 lastSet: of the last one
-- Answers {ms until the next page, number of entries that were removed, id, ...}
--@include push
--@include time
local state, totals, firstList = KEYS[1], KEYS[2], 3
local queuePrefix, jobPrefix, page = ARGV[1], ARGV[2], tonumber(ARGV[3])
local minSeconds, interval, removable = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local firstSet, lastSet = tonumber(ARGV[7]), tonumber(ARGV[8])
local time = now()
if redis.call('TYPE', state).ok ~= 'hash' then redis.call('DEL', state) end
local values = redis.call('HMGET', state, 'due', 'list', 'below', 'begun', 'pause')
if values[1] and tonumber(values[1]) > time then return {tonumber(values[1]) - time, 0} end

-- size(i): returns the number of entries of a key, and true if it is the key of a sorted set. A value of
-- another type counts as empty, since it does not belong to the queue.
local function size(i)
  local isSet = i >= firstSet and i <= lastSet
  if redis.call('TYPE', KEYS[i]).ok ~= (isSet and 'zset' or 'list') then return 0, isSet end
  return redis.call(isSet and 'ZCARD' or 'LLEN', KEYS[i]), isSet
end

local list, below = tonumber(values[2] or firstList), values[3] and tonumber(values[3])
local roundStart, pause = tonumber(values[4] or 0), tonumber(values[5] or 0)
if not values[2] then
  local all = 0
  for i = firstList, #KEYS do all = all + size(i) end
  roundStart = time
  -- A round takes half of the interval, so that it has ended before the next one.
  pause = math.min(1000, math.max(10, math.floor(interval * page / (2 * math.max(all, page)))))
end

-- Lists are read from the tail, and pages from their end. If entries are removed from the head meanwhile, the
-- others move towards the part that is still to be read, so none is missed.
local found, removed, left = {}, 0, page
while list <= #KEYS and left > 0 do
  local key = KEYS[list]
  local total, isSet = size(list)
  local last = math.min(below or total, total)
  local first = math.max(0, last - left)
  local ids = last > 0 and redis.call(isSet and 'ZRANGE' or 'LRANGE', key, first, last - 1) or {}
  local mark = '-gone-'
  local marked = false
  for i = #ids, 1, -1 do
    local id = ids[i]
    local seconds = redis.call('TTL', jobPrefix .. id)
    if seconds >= 0 and seconds <= minSeconds then
      found[#found + 1] = id
    elseif seconds == -2 and list <= removable then
      removed = removed + 1
      if isSet then
        redis.call('ZREM', key, id)
      else
        if redis.call('EXISTS', queuePrefix .. 'last') == 1 then
          beforeRemoval(key, id, queuePrefix)
        end
        redis.call('LSET', key, first + i - 1, mark)
        marked = true
      end
    end
  end
  -- One search of a long list for all marked entries instead of one for each.
  if marked then redis.call('LREM', key, 0, mark) end
  left = left - #ids
  if first == 0 then
    list, below = list + 1, nil
  else
    below = first
  end
end

if removed > 0 then
  redis.pcall('HINCRBY', totals, 'expired', removed)
  redis.pcall('HSET', totals, 'expiredAt', string.format('%.0f', time))
end
local due = time + pause
redis.call('DEL', state)
if list > #KEYS then
  due = math.max(due, roundStart + interval)
  redis.call('HSET', state, 'due', string.format('%.0f', due))
else
  redis.call('HSET', state, 'due', string.format('%.0f', due), 'list', list, 'begun',
    string.format('%.0f', roundStart), 'pause', pause)
  if below then redis.call('HSET', state, 'below', below) end
end
redis.call('PEXPIRE', state, string.format('%.0f', 4 * interval + 60000))
return {due - time, removed, unpack(found)}

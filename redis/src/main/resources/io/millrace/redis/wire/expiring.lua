-- Looks at the next page of the jobs of a queue for those whose time to live runs out. All processes share
-- one round: the state tells where the next page begins, and when.
-- KEYS  1 state, 2 totals of the queue, then its lists and sorted sets
-- ARGV  1 begin of the queue's own keys, 2 begin of the keys of jobs, which an entry follows, 3 jobs of a
--       page, 4 seconds: jobs with at most as many left are answered, 5 ms from one round to the next,
--       6 number of the first keys whose entries may be removed when their job is gone, state and totals
--       included, 7 position of the first sorted set, 8 of the last one
-- Answers {ms until the next page, number of entries that were removed, entry, ...}
--@include push
--@include time
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then redis.call('DEL', KEYS[1]) end
local own, jobs, least, interval = ARGV[1], ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
local page, removable, time = tonumber(ARGV[3]), tonumber(ARGV[6]), now()
local state = redis.call('HMGET', KEYS[1], 'due', 'list', 'below', 'begun', 'pause')
if state[1] and tonumber(state[1]) > time then return {tonumber(state[1]) - time, 0} end

-- size(i): number of entries under a key, and whether it is that of a sorted set. A value of another type
-- has none: it is not of the queue.
local firstSet, lastSet = tonumber(ARGV[7]), tonumber(ARGV[8])
local function size(i)
  local isSet = i >= firstSet and i <= lastSet
  if redis.call('TYPE', KEYS[i]).ok ~= (isSet and 'zset' or 'list') then return 0, isSet end
  return redis.call(isSet and 'ZCARD' or 'LLEN', KEYS[i]), isSet
end

local list, below = tonumber(state[2] or 3), state[3] and tonumber(state[3])
local begun, pause = tonumber(state[4] or 0), tonumber(state[5] or 0)
if not state[2] then
  local all = 0
  for i = 3, #KEYS do all = all + size(i) end
  begun = time
  -- Half of the interval for the round, so that it has ended before the next one.
  pause = math.min(1000, math.max(10, math.floor(interval * page / (2 * math.max(all, page)))))
end

-- A page is read from its end to its beginning, and a list from its tail: entries that are taken from the
-- head meanwhile move towards the ones that are still to be read, and none is passed over.
local found, removed, left = {}, 0, page
while list <= #KEYS and left > 0 do
  local key = KEYS[list]
  local total, isSet = size(list)
  local last = math.min(below or total, total)
  local first = math.max(0, last - left)
  local entries = last > 0 and redis.call(isSet and 'ZRANGE' or 'LRANGE', key, first, last - 1) or {}
  local mark = '-gone-'
  local marked = false
  for i = #entries, 1, -1 do
    local entry = entries[i]
    local seconds = redis.call('TTL', jobs .. entry)
    if seconds >= 0 and seconds <= least then
      found[#found + 1] = entry
    elseif seconds == -2 and list <= removable then
      removed = removed + 1
      if isSet then
        redis.call('ZREM', key, entry)
      else
        if redis.call('EXISTS', own .. 'last') == 1 then leaving(key, entry, own) end
        redis.call('LSET', key, first + i - 1, mark)
        marked = true
      end
    end
  end
  -- All at once: one search of a long list instead of one for each entry.
  if marked then redis.call('LREM', key, 0, mark) end
  left = left - #entries
  if first == 0 then
    list, below = list + 1, nil
  else
    below = first
  end
end

if removed > 0 then
  redis.pcall('HINCRBY', KEYS[2], 'expired', removed)
  redis.pcall('HSET', KEYS[2], 'expiredAt', string.format('%.0f', time))
end
local due = time + pause
redis.call('DEL', KEYS[1])
if list > #KEYS then
  due = math.max(due, begun + interval)
  redis.call('HSET', KEYS[1], 'due', string.format('%.0f', due))
else
  redis.call('HSET', KEYS[1], 'due', string.format('%.0f', due), 'list', list, 'begun',
    string.format('%.0f', begun), 'pause', pause)
  if below then redis.call('HSET', KEYS[1], 'below', below) end
end
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', 4 * interval + 60000))
return {due - time, removed, unpack(found)}

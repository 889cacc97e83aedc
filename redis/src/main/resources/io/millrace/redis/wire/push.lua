-- Functions that add entries to a waiting list. Scripts add entries only with push and pushFirst.
--   queuePrefix  prefix of the queue's own keys, "millrace:queue:<queue>:"
--   priority     priority level as text: "1" is the first; nil, false or "0" for none, behind all levels
-- Entries with a priority level precede those without, so that workers that do not know priorities process
-- them first too. The hash <queuePrefix>last holds the last entry of each level, and in "n" the distance from
-- the head within which all these entries are; the search for them stops there.

-- push(waiting, entry, queuePrefix, priority): inserts an entry behind those of the same and of earlier levels.
local function push(waiting, entry, queuePrefix, priority)
  local level = tonumber(priority or 0) or 0
  if level <= 0 then
    redis.call('RPUSH', waiting, entry)
    return
  end
  local key, lastEntries = queuePrefix .. 'last', {}
  local stored, reach = redis.call('HGETALL', key), 0
  for i = 1, #stored, 2 do
    if stored[i] == 'n' then reach = tonumber(stored[i + 1]) else lastEntries[stored[i]] = stored[i + 1] end
  end
  local pivot, at, farthest = false, -1, -1
  for other, last in pairs(lastEntries) do
    local position = reach > 0 and redis.call('LPOS', waiting, last, 'MAXLEN', reach)
    if not position then
      redis.call('HDEL', key, other)
    else
      if tonumber(other) <= level and position > at then pivot, at = last, position end
      if position > farthest then farthest = position end
    end
  end
  if pivot then
    redis.call('LINSERT', waiting, 'AFTER', pivot, entry)
  else
    redis.call('LPUSH', waiting, entry)
  end
  redis.call('HSET', key, level, entry, 'n', farthest + 2)
end

-- pushFirst(waiting, entry, queuePrefix, priority): inserts an entry that was already leased before all others.
local function pushFirst(waiting, entry, queuePrefix, priority)
  redis.call('LPUSH', waiting, entry)
  local key, level = queuePrefix .. 'last', tonumber(priority or 0) or 0
  if level > 0 then
    redis.call('HSETNX', key, level, entry)
    redis.call('HINCRBY', key, 'n', 1)
  elseif redis.call('EXISTS', key) == 1 then
    redis.call('HINCRBY', key, 'n', 1)
  end
end

-- beforeRemoval(waiting, entry, queuePrefix): must be called before an entry is removed from the middle of the
-- list. If it is the last of its level, the entry before it becomes the last, so that the order is kept.
local function beforeRemoval(waiting, entry, queuePrefix)
  local key = queuePrefix .. 'last'
  local stored = redis.call('HGETALL', key)
  for i = 1, #stored, 2 do
    if stored[i] ~= 'n' and stored[i + 1] == entry then
      local position = redis.call('LPOS', waiting, entry)
      local before = position and position > 0 and redis.call('LINDEX', waiting, position - 1)
      if before then
        redis.call('HSET', key, stored[i], before)
      else
        redis.call('HDEL', key, stored[i])
      end
    end
  end
end

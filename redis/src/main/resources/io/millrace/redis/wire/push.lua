-- Entries enter the list of those that wait only through push and putBack.
--   own       begin of the queue's own keys, "millrace:queue:<queue>:"
--   priority  number as text, 1 is the most urgent; nil, false or "0": behind all others
-- The urgent ones stand before the others, so that workers which know nothing of priorities serve
-- them first too. The hash <own>last holds the entry that came last for each level, and in "n" how
-- far from the head the urgent ones may reach; the search for them goes no farther.

-- push(waiting, entry, own, priority): puts an entry behind those of the same or more urgent levels.
local function push(waiting, entry, own, priority)
  local level = tonumber(priority or 0) or 0
  if level <= 0 then
    redis.call('RPUSH', waiting, entry)
    return
  end
  local key, known = own .. 'last', {}
  local stored, reach = redis.call('HGETALL', key), 0
  for i = 1, #stored, 2 do
    if stored[i] == 'n' then reach = tonumber(stored[i + 1]) else known[stored[i]] = stored[i + 1] end
  end
  local pivot, at, farthest = false, -1, -1
  for other, last in pairs(known) do
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

-- putBack(waiting, entry, own, priority): puts an entry that was taken already before all others.
local function putBack(waiting, entry, own, priority)
  redis.call('LPUSH', waiting, entry)
  local key, level = own .. 'last', tonumber(priority or 0) or 0
  if level > 0 then
    redis.call('HSETNX', key, level, entry)
    redis.call('HINCRBY', key, 'n', 1)
  elseif redis.call('EXISTS', key) == 1 then
    redis.call('HINCRBY', key, 'n', 1)
  end
end

-- leaving(waiting, entry, own): to be called before an entry is taken out of the middle: those before it
-- stay landmarks, so that the order within a level is kept.
local function leaving(waiting, entry, own)
  local key = own .. 'last'
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

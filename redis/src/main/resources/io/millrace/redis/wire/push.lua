-- Functions that add jobs to a waiting list, whose entries are the ids of jobs. Scripts add them with push and
-- pushFirst; complete.lua and spawn.lua, which add jobs without priority, do so at once.
--   queuePrefix  prefix of the queue's own keys, "millrace:queue:<queue>:"
--   priority     priority level as text: "1" is the first; nil, false or "0" for none, behind all levels
-- Jobs with a priority level precede those without, so that workers that do not know priorities process
-- them first too. The hash <queuePrefix>last holds the last job of each level, and in "n" the distance from
-- the head within which all these jobs are; the search for them stops there.

-- push(waiting, id, queuePrefix, priority): inserts a job behind those of the same and of earlier levels.
local function push(waiting, id, queuePrefix, priority)
  local level = tonumber(priority or 0) or 0
  if level <= 0 then
    redis.call('RPUSH', waiting, id)
    return
  end
  local key, lastIds = queuePrefix .. 'last', {}
  local stored, reach = redis.call('HGETALL', key), 0
  for i = 1, #stored, 2 do
    if stored[i] == 'n' then reach = tonumber(stored[i + 1]) else lastIds[stored[i]] = stored[i + 1] end
  end
  local pivot, at, farthest = false, -1, -1
  for other, last in pairs(lastIds) do
    local position = reach > 0 and redis.call('LPOS', waiting, last, 'MAXLEN', reach)
    if not position then
      redis.call('HDEL', key, other)
    else
      if tonumber(other) <= level and position > at then pivot, at = last, position end
      if position > farthest then farthest = position end
    end
  end
  if pivot then
    redis.call('LINSERT', waiting, 'AFTER', pivot, id)
  else
    redis.call('LPUSH', waiting, id)
  end
  redis.call('HSET', key, level, id, 'n', farthest + 2)
end

-- pushFirst(waiting, id, queuePrefix, priority): inserts a job that was already leased before all others.
local function pushFirst(waiting, id, queuePrefix, priority)
  redis.call('LPUSH', waiting, id)
  local key, level = queuePrefix .. 'last', tonumber(priority or 0) or 0
  if level > 0 then
    redis.call('HSETNX', key, level, id)
    redis.call('HINCRBY', key, 'n', 1)
  elseif redis.call('EXISTS', key) == 1 then
    redis.call('HINCRBY', key, 'n', 1)
  end
end

-- beforeRemoval(waiting, id, queuePrefix): must be called before a job is removed from the middle of the
-- list. If it is the last of its level, the one before it becomes the last, so that the order is kept.
local function beforeRemoval(waiting, id, queuePrefix)
  local key = queuePrefix .. 'last'
  local stored = redis.call('HGETALL', key)
  for i = 1, #stored, 2 do
    if stored[i] ~= 'n' and stored[i + 1] == id then
      local position = redis.call('LPOS', waiting, id)
      local before = position and position > 0 and redis.call('LINDEX', waiting, position - 1)
      if before then
        redis.call('HSET', key, stored[i], before)
      else
        redis.call('HDEL', key, stored[i])
      end
    end
  end
end

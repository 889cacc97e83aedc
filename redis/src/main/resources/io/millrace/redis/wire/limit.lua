-- How many jobs begin in each window of time. Windows begin at multiples of their length since 1970.
-- Counters are hashes: w window and n jobs begun in it; for groups also b the latest window that
-- delayed jobs were told to come back in, and k how many did not yet. They expire by themselves.
--   key     <own>limit, or <own>limit:<group>
--   jobs    allowed in each window
--   window  length in ms
--   time    of the server in ms

-- resting(key, jobs, window, time): ms until the next job may begin, 0 for at once. Counts nothing.
local function resting(key, jobs, window, time)
  local current = math.floor(time / window)
  local known = redis.call('HMGET', key, 'w', 'n')
  if tonumber(known[1] or -1) == current and tonumber(known[2]) >= jobs then
    return (current + 1) * window - time
  end
  return 0
end

-- begun(key, window, time): counts a job.
local function begun(key, window, time)
  local current = math.floor(time / window)
  if tonumber(redis.call('HGET', key, 'w') or -1) ~= current then
    redis.call('HSET', key, 'w', string.format('%.0f', current), 'n', 1)
    redis.call('PEXPIRE', key, window * 2)
  else
    redis.call('HINCRBY', key, 'n', 1)
  end
end

-- admitted(key, jobs, window, time, told): 0 when a job of a group may begin, which is counted then;
-- otherwise the time in ms when it must come back, which its next call gives as told (or false).
-- Places in later windows are given in the order of asking, so that a job comes back only once.
local function admitted(key, jobs, window, time, told)
  local current = math.floor(time / window)
  local known = redis.call('HMGET', key, 'w', 'n', 'b', 'k')
  local n = tonumber(known[1] or -1) == current and tonumber(known[2]) or 0
  local last, places = tonumber(known[3] or -1), tonumber(known[4] or 0)
  local taken = n
  if not told and last > current then taken = jobs end
  if not told and last == current then taken = n + places end
  if taken < jobs then
    if told and last == current and places > 0 then redis.call('HINCRBY', key, 'k', -1) end
    redis.call('HSET', key, 'w', string.format('%.0f', current), 'n', n + 1)
    if redis.call('PTTL', key) < window then redis.call('PEXPIRE', key, window * 2) end
    return 0
  end
  if told then
    return (current + 1) * window
  end
  if last <= current then
    last, places = current + 1, 0
  elseif places >= jobs then
    last, places = last + 1, 0
  end
  redis.call('HSET', key, 'b', string.format('%.0f', last), 'k', places + 1)
  redis.call('PEXPIRE', key, (last + 2) * window - time)
  return last * window
end

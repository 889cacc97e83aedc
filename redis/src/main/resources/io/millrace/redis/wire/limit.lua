-- Limits how many jobs start in each time window. Windows start at multiples of their length since 1970.
-- Counters are hashes: w is a window and n the number of jobs started in it. For groups also: b is the latest
-- window in which delayed jobs are to come back, and k how many of these have not come back yet. They expire.
--   key     <queuePrefix>limit, or <queuePrefix>limit:<group>
--   jobs    number of jobs allowed in each window
--   window  length in ms
--   time    of the server in ms

-- startWait(key, jobs, window, time): returns the ms until the next job may start, 0 for at once. Counts
-- nothing.
local function startWait(key, jobs, window, time)
  local current = math.floor(time / window)
  local values = redis.call('HMGET', key, 'w', 'n')
  if tonumber(values[1] or -1) == current and tonumber(values[2]) >= jobs then
    return (current + 1) * window - time
  end
  return 0
end

-- countStart(key, window, time): counts a job that starts.
local function countStart(key, window, time)
  local current = math.floor(time / window)
  if tonumber(redis.call('HGET', key, 'w') or -1) ~= current then
    redis.call('HSET', key, 'w', string.format('%.0f', current), 'n', 1)
    redis.call('PEXPIRE', key, window * 2)
  else
    redis.call('HINCRBY', key, 'n', 1)
  end
end

-- admit(key, jobs, window, time, promisedAt): returns 0 if a job of a group may start, and counts it; otherwise
-- the time in ms at which it must come back. Its next call passes that time as promisedAt, which is false at
-- the first call. Places in later windows are assigned in the order of the calls, so that each job comes back
-- only once.
local function admit(key, jobs, window, time, promisedAt)
  local current = math.floor(time / window)
  local values = redis.call('HMGET', key, 'w', 'n', 'b', 'k')
  local started = tonumber(values[1] or -1) == current and tonumber(values[2]) or 0
  local last, promised = tonumber(values[3] or -1), tonumber(values[4] or 0)
  local used = started
  if not promisedAt and last > current then used = jobs end
  if not promisedAt and last == current then used = started + promised end
  if used < jobs then
    if promisedAt and last == current and promised > 0 then redis.call('HINCRBY', key, 'k', -1) end
    redis.call('HSET', key, 'w', string.format('%.0f', current), 'n', started + 1)
    if redis.call('PTTL', key) < window then redis.call('PEXPIRE', key, window * 2) end
    return 0
  end
  if promisedAt then
    return (current + 1) * window
  end
  if last <= current then
    last, promised = current + 1, 0
  elseif promised >= jobs then
    last, promised = last + 1, 0
  end
  redis.call('HSET', key, 'b', string.format('%.0f', last), 'k', promised + 1)
  redis.call('PEXPIRE', key, (last + 2) * window - time)
  return last * window
end

-- Limits how many jobs start in each time window. Windows start at multiples of their length since 1970.
-- Counters are hashes, which expire:
--   w  the latest window in which a job has started
--   n  number of jobs started in it
--   b  only for groups: the latest window in which places are promised to delayed jobs
--   k  only for groups: number of places that are promised in window b and not taken yet
-- The functions take:
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

-- admit(key, jobs, window, time, isPromised): returns 0 if a job of a group may start, and counts it. Otherwise it
-- promises the job a place in a later window, and returns the ms of that window's start: the job must come back
-- then, with isPromised true. Places are promised in the order of the calls, and window b is filled before the next
-- one, so that each job comes back only once, unless it comes later than its window.
-- Example of 2 jobs in each window of 1,000 ms, with the counters after each call:
--   7,100 A, B  start                                               w=7 n=2
--   7,200 C, D  window 7 is full: both get 8,000                    w=7 n=2 b=8 k=2
--   7,300 E     window 8 is promised as a whole: gets 9,000         w=7 n=2 b=9 k=1
--   8,000 C, D  come back and start; k counts places of window 9    w=8 n=2 b=9 k=1
--   9,050 F     is new and starts: the other place is E's           w=9 n=1 b=9 k=1
--   9,060 G     is new, and n + k is 2: gets 10,000                 w=9 n=1 b=10 k=1
--   9,070 E     comes back and starts                               w=9 n=2 b=10 k=1
-- A job that comes later than its window takes a place of the window in which it comes, as long as n leaves one;
-- otherwise it must come back in the next window, without a new promise.
local function admit(key, jobs, window, time, isPromised)
  local current = math.floor(time / window)
  local values = redis.call('HMGET', key, 'w', 'n', 'b', 'k')
  local started = tonumber(values[1] or -1) == current and tonumber(values[2]) or 0
  local last, promised = tonumber(values[3] or -1), tonumber(values[4] or 0)
  local used = started
  -- New jobs get no place in a window before b: it is full of jobs that have started and of promises.
  if not isPromised and last > current then used = jobs end
  if not isPromised and last == current then used = started + promised end
  if used < jobs then
    if isPromised and last == current and promised > 0 then redis.call('HINCRBY', key, 'k', -1) end
    redis.call('HSET', key, 'w', string.format('%.0f', current), 'n', started + 1)
    if redis.call('PTTL', key) < window then redis.call('PEXPIRE', key, window * 2) end
    return 0
  end
  if isPromised then
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

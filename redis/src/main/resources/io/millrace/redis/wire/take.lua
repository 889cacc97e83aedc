--@include limit
--@include renew
--@include time
local jobs, window, group = string.match(ARGV[5], '^(%d+) (%d+) ?(.*)$')
jobs, window = tonumber(jobs), tonumber(window)

-- rests(): ms until a job may begin where all of the queue have one limit; 0 for at once.
local function rests()
  return jobs and group == '' and resting(KEYS[3] .. 'limit', jobs, window, now()) or 0
end

-- postponed(entry): where each value of a field has its limit: puts an entry that has just been moved
-- into the delayed ones, and answers true, when it may not begin yet.
local function postponed(entry)
  local meta, slot = KEYS[6] .. entry, 'slot:' .. ARGV[1]
  local value = redis.call('HGET', KEYS[5] .. entry, group) or ''
  if #value > 64 then
    value = redis.sha1hex(value)
  end
  local told, time = redis.pcall('HGET', meta, slot), now()
  told = type(told) == 'string' and tonumber(told)
  local back = admitted(KEYS[3] .. 'limit:' .. value, jobs, window, time, told)
  if back == 0 then
    if told then
      redis.call('HDEL', meta, slot)
    end
    return false
  end
  redis.call('HSET', meta, slot, string.format('%.0f', back))
  redis.call('EXPIRE', meta, ARGV[4])
  renew(KEYS[5] .. entry, meta, ARGV[4] + math.ceil((back - time) / 1000))
  redis.call('ZADD', KEYS[7], string.format('%.0f', back), entry)
  redis.call('LREM', KEYS[2], -1, entry)
  return true
end

-- take(entry): locks an entry that has just been moved to those that are worked on. Answers
--   JOB, entry, values of the attributes, {attempts, since, priority, unique,
--     stalls} of this queue
--   GONE, entry, why: its hash is away, or no hash; the entry is dropped
--   DELAYED: the limit of its group is reached; it comes back when there is room
local function take(entry)
  local job = KEYS[5] .. entry
  local fields = redis.pcall('HMGET', job, unpack(ARGV, 7, own - 1))
  if fields.err or redis.call('EXPIRE', job, ARGV[4]) == 0 then
    redis.call('LREM', KEYS[2], -1, entry)
    return {'GONE', entry, fields.err or ''}
  end
  if jobs and group ~= '' and postponed(entry) then
    return {'DELAYED'}
  end
  if jobs and group == '' then
    begun(KEYS[3] .. 'limit', window, now())
  end
  redis.call('SET', KEYS[4] .. entry, ARGV[2], 'EX', ARGV[3])
  local meta = redis.pcall('HMGET', KEYS[6] .. entry,
    'attempts:' .. ARGV[1], 'since:' .. ARGV[1], 'priority', 'unique', 'stalls:' .. ARGV[1])
  if meta.err then
    meta = {}
  elseif meta[1] or meta[3] or meta[4] or meta[5] then
    redis.call('EXPIRE', KEYS[6] .. entry, ARGV[4])
    if meta[4] then
      redis.call('EXPIRE', meta[4], ARGV[4])
    end
  end
  return {'JOB', entry, fields, meta}
end

-- lease(): takes the next job that waits. Answers as take does, or PAUSED, or EMPTY, or LIMITED and
-- the ms until the next may begin. paused: whether the queue is, nil when that is not known.
local function lease(paused)
  if paused or paused == nil and redis.call('EXISTS', KEYS[3] .. 'paused') == 1 then
    return {'PAUSED'}
  end
  local rest = rests()
  if rest > 0 then
    return {'LIMITED', rest}
  end
  local answer
  for _ = 1, 100 do
    local entry = redis.pcall('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')
    if type(entry) == 'table' then
      return entry
    end
    if not entry then
      return {'EMPTY'}
    end
    answer = take(entry)
    if answer[1] ~= 'DELAYED' then
      return answer
    end
  end
  return answer
end

-- reply(status, claimNext, paused, ticket): what is answered at the end of a job, with the next one when
-- claimNext is '1'. Why none could be taken is told when the worker asks again.
local function reply(status, claimNext, paused, ticket)
  if type(status) == 'table' then
    return status
  end
  if status == 'OK' and ticket ~= '' then
    redis.call('SET', ends, ticket, 'EX', 3600)
  end
  if claimNext ~= '1' then
    return {status, false}
  end
  local fine, taken = pcall(lease, paused)
  return {status, fine and not taken.err and taken}
end

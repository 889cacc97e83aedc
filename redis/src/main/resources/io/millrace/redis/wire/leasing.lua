-- Functions that lease jobs. Need queue.lua.
--@include limit
--@include renew
--@include time
local jobs, window, group = string.match(rateLimit, '^(%d+) (%d+) ?(.*)$')
jobs, window = tonumber(jobs), tonumber(window)

-- queueWait(): returns the ms until the next job may start if the whole queue has one rate limit; 0 for at
-- once.
local function queueWait()
  return jobs and group == '' and startWait(queuePrefix .. 'limit', jobs, window, now()) or 0
end

-- postpone(id): with a rate limit per group, moves a job in processing to the delayed ones if it may
-- not start yet; returns true if it did.
local function postpone(id)
  local metadata, startField = metadataPrefix .. id, 'startAt:' .. queue
  local value = redis.call('HGET', jobPrefix .. id, group) or ''
  if #value > 64 then
    value = redis.sha1hex(value)
  end
  local isPromised, time = type(redis.pcall('HGET', metadata, startField)) == 'string', now()
  local returnAt = admit(queuePrefix .. 'limit:' .. value, jobs, window, time, isPromised)
  if returnAt == 0 then
    if isPromised then
      redis.call('HDEL', metadata, startField)
    end
    return false
  end
  redis.call('HSET', metadata, startField, string.format('%.0f', returnAt))
  redis.call('EXPIRE', metadata, jobSeconds)
  renew(jobPrefix .. id, metadata, jobSeconds + math.ceil((returnAt - time) / 1000))
  redis.call('ZADD', delayed, string.format('%.0f', returnAt), id)
  redis.call('LREM', processing, -1, id)
  return true
end

-- leaseJob(id): leases a job that was just moved to the processing list. Answers
--   JOB, id, values of the fields, {attempts, since, priority, holderKey, stalls} of this queue
--   GONE, id, why: its hash does not exist, or is not a hash; the entry is removed
--   GROUP_LIMITED: the rate limit of its group is reached; it is delayed until the group has room
local function leaseJob(id)
  local job, metadata = jobPrefix .. id, metadataPrefix .. id
  local fields = redis.pcall('HMGET', job, unpack(ARGV, firstRead, firstArg - 1))
  if fields.err or redis.call('EXPIRE', job, jobSeconds) == 0 then
    redis.call('LREM', processing, -1, id)
    return {'GONE', id, fields.err or ''}
  end
  if jobs and group ~= '' and postpone(id) then
    return {'GROUP_LIMITED'}
  end
  if jobs and group == '' then
    countStart(queuePrefix .. 'limit', window, now())
  end
  redis.call('SET', lockPrefix .. id, worker, 'EX', lockSeconds)
  local values = redis.pcall('HMGET', metadata,
    'attempts:' .. queue, 'since:' .. queue, 'priority', 'unique', 'stalls:' .. queue)
  if values.err then
    values = {}
  elseif values[1] or values[3] or values[4] or values[5] then
    redis.call('EXPIRE', metadata, jobSeconds)
    local holderKey = values[4]
    if holderKey then
      redis.call('EXPIRE', holderKey, jobSeconds)
    end
  end
  return {'JOB', id, fields, values}
end

-- leaseNextJob(paused): leases the next waiting job. Answers as leaseJob does, or PAUSED, or EMPTY, or
-- QUEUE_LIMITED and the ms until the next job may start. paused: true if the queue is paused, nil if unknown.
local function leaseNextJob(paused)
  if paused or paused == nil and redis.call('EXISTS', queuePrefix .. 'paused') == 1 then
    return {'PAUSED'}
  end
  local wait = queueWait()
  if wait > 0 then
    return {'QUEUE_LIMITED', wait}
  end
  local answer
  for _ = 1, 100 do
    local id = redis.pcall('LMOVE', waiting, processing, 'LEFT', 'RIGHT')
    if type(id) == 'table' then
      return id
    end
    if not id then
      return {'EMPTY'}
    end
    answer = leaseJob(id)
    if answer[1] ~= 'GROUP_LIMITED' then
      return answer
    end
  end
  return answer
end

-- outcomeReply(status, leaseNext, paused, ticket): returns the reply to the outcome of a job, with the next job if
-- leaseNext is '1'. An error of that lease is not returned: the worker gets it when it leases by itself.
local function outcomeReply(status, leaseNext, paused, ticket)
  if type(status) == 'table' then
    return status
  end
  if status == 'OK' and ticket ~= '' then
    redis.call('SET', lastTicketKey, ticket, 'EX', 3600)
  end
  if leaseNext ~= '1' then
    return {status, false}
  end
  local succeeded, leased = pcall(leaseNextJob, paused)
  return {status, succeeded and not leased.err and leased}
end

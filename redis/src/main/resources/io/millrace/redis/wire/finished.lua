-- finished(job, lastQueues): returns true if the job with this key has finished: its field done is set, or it has
-- failed, or a queue without a next one has completed it, which is the only mark that workers in Node.js leave. Also
-- true if there is no job at the key, or something else than a job. This is the only definition: await and unique
-- keys use it.
--   lastQueues  names of the queues without a next one, as JSON strings separated by blanks
local function finished(job, lastQueues)
  local values = redis.pcall('HMGET', job, 'done', 'failed', 'completed-queue')
  if values.err then
    if string.find(values.err, 'WRONGTYPE', 1, true) then return true end
    error(values.err)
  end
  local done, failed, completed = values[1], values[2], values[3]
  if done == 'true' or done == '"true"' or failed == 'true' or failed == '"true"' then return true end
  if completed and #completed > 2 and string.find(' ' .. lastQueues .. ' ', ' ' .. completed .. ' ', 1, true) then
    return true
  end
  return redis.call('EXISTS', job) == 0
end

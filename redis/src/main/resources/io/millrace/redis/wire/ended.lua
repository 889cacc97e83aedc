-- ended(job, last): true if the job with this key has ended or is gone: it is done or has failed, or a queue
-- without next one has completed it, which is the only mark that workers in Node.js leave.
--   last  names of these queues as JSON texts, separated by blanks
local function ended(job, last)
  local known = redis.pcall('HMGET', job, 'done', 'failed', 'completed-queue')
  if known.err then return true end
  local done, failed, completed = known[1], known[2], known[3]
  if done == 'true' or done == '"true"' or failed == 'true' or failed == '"true"' then return true end
  if completed and #completed > 2 and string.find(last, completed, 1, true) then return true end
  return redis.call('EXISTS', job) == 0
end

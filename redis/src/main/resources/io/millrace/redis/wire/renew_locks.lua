-- Renews the locks that the workers still hold, and the time to live of their jobs.
--   KEYS  for each lock: lock, job: the job's hash, metadata: its metadata hash
--   ARGV  for each lock: worker: the id of its worker, lockSeconds: its time to live, jobSeconds: that of the
--         job
--   answers: for each lock 1, or 0 if the worker does not hold it
--@include renew
local answers = {}
for i = 1, #KEYS, 3 do
  local lock, job, metadata = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local worker, lockSeconds, jobSeconds = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local isOwner = redis.pcall('GET', lock) == worker
  answers[#answers + 1] = isOwner and redis.call('EXPIRE', lock, lockSeconds) or 0
  if isOwner then
    renew(job, metadata, jobSeconds)
  end
end
return answers

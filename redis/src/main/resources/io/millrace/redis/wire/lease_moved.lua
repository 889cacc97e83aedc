-- Leases a job that was moved to the processing list already, by a blocking move, or by a lease of this worker whose
-- reply was lost.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 id
--     2 recent  '1' if no process can have recovered the job since the move. A lock that exists then was
--               left by an earlier worker, and is overwritten
--   answers: JOB, GONE or GROUP_LIMITED, see leasing.lua;
--     PAUSED, or QUEUE_LIMITED and the ms until the next job may start: the job is released, as in
--     release.lua
--     TAKEN: the job is no longer in processing, or another worker has locked it
--@include queue
--@include push
--@include leasing
local id, recent = ARGV[firstArg], ARGV[firstArg + 1] == '1'
local lockedByOther = redis.call('EXISTS', lockPrefix .. id) == 1 and not ownsLock(id)
if not recent and lockedByOther or not redis.call('LPOS', processing, id, 'RANK', -1) then
  return {'TAKEN'}
end
local paused, wait = redis.call('EXISTS', queuePrefix .. 'paused') == 1, queueWait()
if paused or wait > 0 then
  local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash')
  if fault then
    return fault
  end
  redis.call('LREM', processing, -1, id)
  redis.call('DEL', lockPrefix .. id)
  pushFirst(waiting, id, queuePrefix, priorityOf(id))
  return paused and {'PAUSED'} or {'QUEUE_LIMITED', wait}
end
return leaseJob(id)

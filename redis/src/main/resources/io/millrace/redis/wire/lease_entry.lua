-- Leases the job of an entry that a blocking move has returned.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 entry
--     2 recent  '1' if no process can have recovered the entry since the move. A lock that exists then was
--               left by an earlier worker, and is overwritten
--   answers: JOB, GONE or GROUP_LIMITED, see leasing.lua;
--     PAUSED, or QUEUE_LIMITED and the ms until the next job may start: the job is released, as in
--     release.lua
--     TAKEN: the entry is no longer in processing, or another worker has locked it
--@include queue
--@include push
--@include leasing
local entry, recent = ARGV[firstArg], ARGV[firstArg + 1] == '1'
local lockedByOther = redis.call('EXISTS', lockPrefix .. entry) == 1 and not ownsLock(entry)
if not recent and lockedByOther or not redis.call('LPOS', processing, entry, 'RANK', -1) then
  return {'TAKEN'}
end
local paused, wait = redis.call('EXISTS', queuePrefix .. 'paused') == 1, queueWait()
if paused or wait > 0 then
  local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash')
  if fault then
    return fault
  end
  redis.call('LREM', processing, -1, entry)
  pushFirst(waiting, entry, queuePrefix, priorityOf(entry))
  return paused and {'PAUSED'} or {'QUEUE_LIMITED', wait}
end
return leaseEntry(entry)

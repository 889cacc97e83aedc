-- Releases a leased job whose outcome is not stored: returns it to the head of the waiting list.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 entry
--   answers: OK; or LOST if another worker has locked it or it is no longer in processing
--@include queue
--@include push
local entry = ARGV[firstArg]
if redis.call('EXISTS', lockPrefix .. entry) == 1 and not ownsLock(entry) then
  return 'LOST'
end
local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash')
if fault then
  return fault
end
if redis.call('LREM', processing, -1, entry) == 0 then
  return 'LOST'
end
redis.call('DEL', lockPrefix .. entry)
pushFirst(waiting, entry, queuePrefix, priorityOf(entry))
return 'OK'

-- Releases a leased job whose outcome is not stored: returns it to the head of the waiting list.
--   KEYS  see queue.lua
--   ARGV  see queue.lua, then
--     1 id
--   answers: OK; or LOST if another worker has locked it or it is no longer in processing
--@include queue
--@include push
local id = ARGV[firstArg]
if redis.call('EXISTS', lockPrefix .. id) == 1 and not ownsLock(id) then
  return 'LOST'
end
local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash')
if fault then
  return fault
end
if redis.call('LREM', processing, -1, id) == 0 then
  return 'LOST'
end
redis.call('DEL', lockPrefix .. id)
pushFirst(waiting, id, queuePrefix, priorityOf(id))
return 'OK'

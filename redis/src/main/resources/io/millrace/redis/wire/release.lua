-- Puts a leased job back that was not begun, at the head of those that wait.
--   keys: as queue.lua tells
--   arguments: as queue.lua tells, then
--     1 entry
--   answers: OK; or LOST, when another worker has locked it or it is not worked on any more
--@include queue
--@include push
local entry = ARGV[own]
if redis.call('EXISTS', KEYS[4] .. entry) == 1 and not locked(entry) then
  return 'LOST'
end
local fault = unfit(KEYS[1], 'list', KEYS[3] .. 'last', 'hash')
if fault then
  return fault
end
if redis.call('LREM', KEYS[2], -1, entry) == 0 then
  return 'LOST'
end
redis.call('DEL', KEYS[4] .. entry)
putBack(KEYS[1], entry, KEYS[3], urgency(entry))
return 'OK'

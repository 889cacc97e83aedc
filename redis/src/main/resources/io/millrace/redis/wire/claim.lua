-- Takes the lock of a job that a blocking move has brought.
--   keys: as queue.lua tells
--   arguments: as queue.lua tells, then
--     1 entry             2 '1' when the move was too recent for anybody to have recovered the entry:
--     then a lock is an old one that its worker left behind, and is overwritten
--   answers: JOB, GONE or DELAYED, as take.lua tells;
--     PAUSED, or LIMITED and the ms until the next may begin: the entry is back at the head of those
--     that wait
--     TAKEN: it is not among those that are worked on any more, or another worker has locked it
--@include queue
--@include push
--@include take
local entry = ARGV[own]
local others = redis.call('EXISTS', KEYS[4] .. entry) == 1 and not locked(entry)
if ARGV[own + 1] ~= '1' and others
    or not redis.call('LPOS', KEYS[2], entry, 'RANK', -1) then
  return {'TAKEN'}
end
local paused, rest = redis.call('EXISTS', KEYS[3] .. 'paused') == 1, rests()
if paused or rest > 0 then
  local fault = unfit(KEYS[1], 'list', KEYS[3] .. 'last', 'hash')
  if fault then
    return fault
  end
  redis.call('LREM', KEYS[2], -1, entry)
  putBack(KEYS[1], entry, KEYS[3], urgency(entry))
  return paused and {'PAUSED'} or {'LIMITED', rest}
end
return take(entry)

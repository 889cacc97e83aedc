-- Moves the delayed jobs that are due to those that wait, the earliest first.
-- KEYS  1 delayed, 2 waiting
-- ARGV  1 begin of the queue's own keys, 2 begin of the keys of jobs, 3 begin of the keys of meta
--       hashes (an entry follows both), 4 the most to move
-- Answers {moved, ms until the next is due or -1 when none is there, dropped}. Entries whose job is gone are
-- dropped.
--@include push
--@include unfit
--@include time
local fault = unfit(KEYS[2], 'list', ARGV[1] .. 'last', 'hash')
if fault then
  return fault
end
local time = now()
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', time), 'LIMIT', 0, ARGV[4])
local moved, dropped = 0, 0
for _, entry in ipairs(due) do
  redis.call('ZREM', KEYS[1], entry)
  if redis.call('EXISTS', ARGV[2] .. entry) == 0 then
    dropped = dropped + 1
  else
    local priority = redis.pcall('HGET', ARGV[3] .. entry, 'priority')
    priority = type(priority) == 'string' and priority
    push(KEYS[2], entry, ARGV[1], priority)
    moved = moved + 1
  end
end
local following = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if #following == 0 then
  return {moved, -1, dropped}
end
return {moved, math.max(0, math.ceil(tonumber(following[2]) - time)), dropped}

-- Moves the delayed jobs that are due to the waiting list, the earliest first.
-- KEYS  1 delayed, 2 waiting
-- ARGV  1 queuePrefix: prefix of the queue's own keys, 2 jobPrefix: prefix of the jobs' hashes,
--       3 metadataPrefix: prefix of the metadata hashes; an id follows both, 4 maxMoved: most jobs to move
-- Answers {moved, ms until the next job is due or -1 if there is none, dropped}. Entries whose job does not
-- exist are dropped.
--@include push
--@include unfit
--@include time
local delayed, waiting = KEYS[1], KEYS[2]
local queuePrefix, jobPrefix, metadataPrefix, maxMoved = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local fault = unfit(waiting, 'list', queuePrefix .. 'last', 'hash')
if fault then
  return fault
end
local time = now()
local due = redis.call('ZRANGEBYSCORE', delayed, '-inf', string.format('%.0f', time), 'LIMIT', 0, maxMoved)
local moved, dropped = 0, 0
for _, id in ipairs(due) do
  redis.call('ZREM', delayed, id)
  if redis.call('EXISTS', jobPrefix .. id) == 0 then
    dropped = dropped + 1
  else
    local priority = redis.pcall('HGET', metadataPrefix .. id, 'priority')
    priority = type(priority) == 'string' and priority
    push(waiting, id, queuePrefix, priority)
    moved = moved + 1
  end
end
local following = redis.call('ZRANGE', delayed, 0, 0, 'WITHSCORES')
if #following == 0 then
  return {moved, -1, dropped}
end
return {moved, math.max(0, math.ceil(tonumber(following[2]) - time)), dropped}

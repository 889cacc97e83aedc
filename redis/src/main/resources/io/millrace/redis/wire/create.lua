-- Makes a job that is delayed, urgent or unique.
-- KEYS  1 job, 2 its meta hash, 3 waiting, 4 delayed, 5 holder of the unique key, or the job again when it
--       has none (users with few rights may name no other keys), 6... the lists of its lookup values
-- ARGV  1 id, 2 entry, 3 begin of the queue's own keys, 4 begin of the keys of jobs, which an entry follows,
--       5 seconds to live, 6 delay in ms, 7 priority or "0",
--       8 the queues without next one, as ended.lua tells, 9... field, value, ...
-- Answers {id, 1}; {id of the other, 0} when a job with this unique key has not ended: nothing is made;
-- {id, 0} when there is a job with this id already.
--@include ended
--@include push
--@include unfit
--@include time
local id, entry, own, delay, priority = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[6]), ARGV[7]
local unique = KEYS[5] ~= KEYS[1] and KEYS[5]
if redis.call('EXISTS', KEYS[1]) == 1 then return {id, 0} end
if unique then
  local holder = redis.call('GET', unique)
  if holder and not ended(ARGV[4] .. holder, ARGV[8]) then
    return {string.match(holder, '[^:]*$'), 0}
  end
end

local fault = unfit(KEYS[2], 'hash', KEYS[3], 'list', own .. 'last', 'hash', KEYS[4], 'zset')
for i = 6, #KEYS do fault = fault or unfit(KEYS[i], 'list') end
if fault then return fault end

-- A job that comes later lives as long from then on as another from now on.
local seconds = tonumber(ARGV[5]) + math.ceil(delay / 1000)
for i = 9, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('EXPIRE', KEYS[1], seconds)
if unique then
  redis.call('SET', unique, entry, 'EX', seconds)
  redis.call('HSET', KEYS[2], 'unique', unique)
end
if priority ~= '0' then
  redis.call('HSET', KEYS[2], 'priority', priority)
end
redis.call('EXPIRE', KEYS[2], seconds)
for i = 6, #KEYS do
  redis.call('RPUSH', KEYS[i], entry)
  -- Never for a shorter time: the list may be of a job that comes later still.
  if redis.call('TTL', KEYS[i]) < seconds then redis.call('EXPIRE', KEYS[i], seconds) end
end
if delay > 0 then
  redis.call('ZADD', KEYS[4], string.format('%.0f', now() + delay), entry)
else
  push(KEYS[3], entry, own, priority)
end
return {id, 1}

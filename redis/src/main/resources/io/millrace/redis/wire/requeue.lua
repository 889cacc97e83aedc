-- Moves dead jobs back to those that wait: as if they had not failed and not been tried.
-- KEYS  1 dead, 2 waiting
-- ARGV  1 begin of the queue's own keys, 2 begin of the keys of jobs, 3 begin of the keys of meta
--       hashes (an entry follows both), 4 queue, 5 seconds to live, 6 the most to move,
--       7 the queues without next one, as ended.lua tells, 8... their entries; none for the oldest
-- Answers {moved, dropped, held}: dropped ones have no hash any more; held ones stay dead, since
-- another job has their unique key.
--@include ended
--@include push
--@include unfit
--@include renew
--@include time
local fault = unfit(KEYS[2], 'list', ARGV[1] .. 'last', 'hash')
if fault then
  return fault
end
local entries = {}
for i = 8, #ARGV do entries[#entries + 1] = ARGV[i] end
if #entries == 0 then
  entries = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[6]) - 1)
end
local moved, dropped, held = 0, 0, 0
for _, entry in ipairs(entries) do
  local job, meta = ARGV[2] .. entry, ARGV[3] .. entry
  local known = redis.pcall('HMGET', meta, 'priority', 'unique')
  if known.err then
    redis.call('DEL', meta)
    known = {}
  end
  local holder = known[2] and redis.call('GET', known[2])
  if holder and holder ~= entry and not ended(ARGV[2] .. holder, ARGV[7])
      and redis.call('ZSCORE', KEYS[1], entry) then
    held = held + 1
  elseif redis.call('ZREM', KEYS[1], entry) == 1 then
    if redis.call('EXISTS', job) == 0 then
      dropped = dropped + 1
    else
      redis.call('HDEL', job, 'done', 'failed', 'failedQueue', 'failedErrorMsg')
      redis.call('HDEL', meta, 'attempts:' .. ARGV[4], 'since:' .. ARGV[4], 'stalls:' .. ARGV[4])
      if known[2] then redis.call('SET', known[2], entry, 'EX', ARGV[5]) end
      renew(job, meta, ARGV[5])
      push(KEYS[2], entry, ARGV[1], known[1])
      moved = moved + 1
    end
  end
end
if dropped > 0 then
  redis.pcall('HINCRBY', ARGV[1] .. 'totals', 'expired', dropped)
  redis.pcall('HSET', ARGV[1] .. 'totals', 'expiredAt', string.format('%.0f', now()))
end
return {moved, dropped, held}

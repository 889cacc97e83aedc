--@include time
-- bury(entry, maxDead): adds an entry to the dead jobs, and removes the oldest of them above the limit.
-- Needs queue.lua.
local function bury(entry, maxDead)
  local dead = queuePrefix .. 'dead'
  redis.call('ZADD', dead, string.format('%.0f', now()), entry)
  redis.call('ZREMRANGEBYRANK', dead, 0, -1 - maxDead)
end

--@include time
-- bury(id, maxDead): adds a job to the dead ones, and removes the oldest of them above the limit.
-- Needs queue.lua.
local function bury(id, maxDead)
  local dead = queuePrefix .. 'dead'
  redis.call('ZADD', dead, string.format('%.0f', now()), id)
  redis.call('ZREMRANGEBYRANK', dead, 0, -1 - maxDead)
end

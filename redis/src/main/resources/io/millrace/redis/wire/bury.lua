--@include time
-- bury(entry, limit): puts an entry into the list of dead ones, of which the oldest go.
local function bury(entry, limit)
  local dead = KEYS[3] .. 'dead'
  redis.call('ZADD', dead, string.format('%.0f', now()), entry)
  redis.call('ZREMRANGEBYRANK', dead, 0, -1 - limit)
end

-- Renews the locks that are still the worker's.
--   keys: the locks
--   arguments: for each lock the worker's id and the seconds it shall live
--   answers: for each lock 1, or 0 when it is another's or nobody's
local answers = {}
for i, lock in ipairs(KEYS) do
  local mine = redis.pcall('GET', lock) == ARGV[2 * i - 1]
  answers[i] = mine and redis.call('EXPIRE', lock, ARGV[2 * i]) or 0
end
return answers

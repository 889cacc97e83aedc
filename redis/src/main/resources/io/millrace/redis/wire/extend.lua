-- Renews the locks that are still the worker's, and lets their jobs live on.
--   keys: for each lock: itself, the job's hash, the job's own hash
--   arguments: for each lock the worker's id, the seconds it lives, and those of the job
--   answers: for each lock 1, or 0 when it is another's or nobody's
--@include renew
local answers = {}
for i = 1, #KEYS, 3 do
  local mine = redis.pcall('GET', KEYS[i]) == ARGV[i]
  answers[#answers + 1] = mine and redis.call('EXPIRE', KEYS[i], ARGV[i + 1]) or 0
  if mine then
    renew(KEYS[i + 1], KEYS[i + 2], ARGV[i + 2])
  end
end
return answers

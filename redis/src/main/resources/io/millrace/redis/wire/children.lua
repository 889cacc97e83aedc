-- Looks which children have ended.
-- KEYS  the hashes of children
-- Answers 1 for each whose field done is true, as text too, for so the monitor of the npm package
-- writes it; and for each that is gone, or no hash, for which nobody can work any more. Otherwise 0.
local answers = {}
for i, key in ipairs(KEYS) do
  local done = redis.pcall('HGET', key, 'done')
  local ended = type(done) == 'table' or done == 'true' or done == '"true"'
  answers[i] = (ended or not done and redis.call('EXISTS', key) == 0) and 1 or 0
end
return answers

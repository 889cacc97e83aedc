-- Returns which children have finished.
-- KEYS  the hashes of children
-- Answers 1 for each that has finished, otherwise 0. A child has finished if its field done is true, also as a JSON
-- string, which the monitor of the npm package writes; or if its key does not exist or is not a hash, since
-- then no worker can process it.
local answers = {}
for i, key in ipairs(KEYS) do
  local done = redis.pcall('HGET', key, 'done')
  local finished = type(done) == 'table' or done == 'true' or done == '"true"'
  answers[i] = (finished or not done and redis.call('EXISTS', key) == 0) and 1 or 0
end
return answers

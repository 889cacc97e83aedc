-- Returns which children are done, so that their parent waits for them no longer.
-- KEYS  the hashes of children
-- Answers 1 for each that is done, otherwise 0. A child is done if its field done is true, also as a JSON string,
-- which the monitor of the npm package writes; or if its key does not exist or is not a hash, since then no worker
-- can process it.
local answers = {}
for i, key in ipairs(KEYS) do
  local value = redis.pcall('HGET', key, 'done')
  local done = type(value) == 'table' or value == 'true' or value == '"true"'
  answers[i] = (done or not value and redis.call('EXISTS', key) == 0) and 1 or 0
end
return answers

-- Renews the time to live of jobs, or of the lists by which they are found; it is never shortened.
-- KEYS  for each job its hash and its metadata hash; or a list, twice
-- ARGV  1 seconds to live, 2... names of fields
-- Answers the values of these fields of each job, one after the other.
--@include renew
local seconds, firstField = ARGV[1], 2
local values = {}
for i = 1, #KEYS, 2 do
  local job, metadata = KEYS[i], KEYS[i + 1]
  renew(job, metadata, seconds)
  local fields = #ARGV >= firstField and redis.pcall('HMGET', job, unpack(ARGV, firstField)) or {}
  for field = 1, #ARGV - 1 do
    values[#values + 1] = fields[field] or false
  end
end
return values

-- Lets jobs, or the lists by which they are found, live on for the time given; never shorter than they do.
-- KEYS  of each job its hash and its meta hash; or a list, twice
-- ARGV  1 seconds to live, 2... names of fields
-- Answers the values of these fields of each job, one after the other.
--@include renew
local values = {}
for i = 1, #KEYS, 2 do
  renew(KEYS[i], KEYS[i + 1], ARGV[1])
  local known = #ARGV > 1 and redis.pcall('HMGET', KEYS[i], unpack(ARGV, 2)) or {}
  for field = 1, #ARGV - 1 do
    values[#values + 1] = known[field] or false
  end
end
return values

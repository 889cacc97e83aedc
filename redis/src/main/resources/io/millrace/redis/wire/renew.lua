-- renew(job, metadata, seconds): sets the time to live of a job, its metadata hash and the key that holds the id
-- of the job with its unique key, unless they live longer already. Keys that do not exist are ignored.
local function renew(job, metadata, seconds)
  seconds = tonumber(seconds)
  local holderKey = redis.pcall('HGET', metadata, 'unique')
  for _, key in ipairs({job, metadata, type(holderKey) == 'string' and holderKey or metadata}) do
    local left = redis.call('TTL', key)
    if left >= 0 and left < seconds then
      redis.call('EXPIRE', key, seconds)
    end
  end
end

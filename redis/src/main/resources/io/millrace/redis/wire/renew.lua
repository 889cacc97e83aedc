-- renew(job, meta, seconds): lets a job live on for the time given, and never shorter than it does;
-- with it its meta hash and what holds its unique key, where there are such.
local function renew(job, meta, seconds)
  seconds = tonumber(seconds)
  local unique = redis.pcall('HGET', meta, 'unique')
  for _, key in ipairs({job, meta, type(unique) == 'string' and unique or meta}) do
    local left = redis.call('TTL', key)
    if left >= 0 and left < seconds then
      redis.call('EXPIRE', key, seconds)
    end
  end
end

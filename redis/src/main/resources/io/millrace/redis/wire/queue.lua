-- What the scripts of a worker are told of its queue, in front of their own arguments.
--   KEYS[1] those that wait           KEYS[2] those that are worked on
--   KEYS[3] begin of the queue's own keys, "millrace:queue:<queue>:"
--   KEYS[4] begin of its locks        KEYS[5] begin of the jobs' hashes
--   KEYS[6] begin of the jobs' own hashes, "millrace:job:<flow>:"
--   KEYS[7] those that come back later
--   ARGV[1] queue    ARGV[2] the worker's id    ARGV[3] seconds of a lock
--   ARGV[4] seconds that a job is kept          ARGV[5] rate limit, '' for none
--   ARGV[6] number of attributes, which follow; the first is correlationId
--@include unfit
-- own: where the script's own arguments begin.
local own = 7 + ARGV[6]

-- Whether the lock of an entry is the worker's; a key of another type is nobody's.
local function locked(entry)
  return redis.pcall('GET', KEYS[4] .. entry) == ARGV[2]
end

-- standing(entry): whether its lock is the worker's, and whether the queue is paused: one command.
local function standing(entry)
  local both = redis.call('MGET', KEYS[4] .. entry, KEYS[3] .. 'paused')
  return both[1] == ARGV[2], both[2] ~= false
end

-- forget(entry, unique): lets another job with the same unique key be made.
local function forget(entry, unique)
  if unique ~= '' and redis.pcall('GET', unique) == entry then
    redis.call('DEL', unique)
  end
end

-- urgency(entry): its priority, or false; what is no hash tells none.
local function urgency(entry)
  local priority = redis.pcall('HGET', KEYS[6] .. entry, 'priority')
  return type(priority) == 'string' and priority
end

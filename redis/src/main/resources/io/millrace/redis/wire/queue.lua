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

-- ends: holds the ticket of the last job whose end the worker has stored.
local ends = KEYS[3] .. 'ends:' .. ARGV[2]

-- standing(entry, ticket): whether its lock is the worker's, whether the queue is paused, and whether
-- the end of this lease is stored, so that only the answer was lost: one command.
local function standing(entry, ticket)
  local known = redis.call('MGET', KEYS[4] .. entry, KEYS[3] .. 'paused', ends)
  return known[1] == ARGV[2], known[2] ~= false, ticket ~= '' and known[3] == ticket
end

-- store(job, from): the fields and values of the arguments from there on; in parts, since Lua hands
-- over some thousands at most. Answers a number, or the server's error.
local function store(job, from)
  local answer
  for i = from, #ARGV, 1000 do
    answer = redis.pcall('HSET', job, unpack(ARGV, i, math.min(i + 999, #ARGV)))
    if type(answer) == 'table' then
      return answer
    end
  end
  return answer
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

-- The keys and arguments that all scripts of a worker share. The arguments of the script itself follow.
-- They are bound to locals of these names:
--   KEYS
--     1 waiting         list of the waiting jobs
--     2 processing      list of the jobs in processing
--     3 queuePrefix     prefix of the queue's own keys, "millrace:queue:<queue>:"
--     4 lockPrefix      prefix of the locks; an id follows, as in the next two
--     5 jobPrefix       prefix of the jobs' hashes
--     6 metadataPrefix  prefix of the metadata hashes, "millrace:job:<flow>:"
--     7 delayed         sorted set of the delayed jobs, by due time
--   ARGV
--     1 queue           name of the queue
--     2 worker          id of the worker
--     3 lockSeconds     time to live of a lock
--     4 jobSeconds      time to live of a job
--     5 rateLimit       "<jobs> <window in ms>", then " <field>" for a limit per group; '' for none
--     6                 number of fields, which follow; the first is correlationId
--   firstArg            index in ARGV of the script's first own argument
--@include unfit
local waiting, processing, queuePrefix, lockPrefix = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local jobPrefix, metadataPrefix, delayed = KEYS[5], KEYS[6], KEYS[7]
local queue, worker, lockSeconds, jobSeconds, rateLimit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local firstRead = 7
local firstArg = firstRead + ARGV[6]

-- ownsLock(id): true if the worker holds the lock. A key of another type is nobody's lock.
local function ownsLock(id)
  return redis.pcall('GET', lockPrefix .. id) == worker
end

-- Key of the ticket of the last job whose end the worker has stored.
local lastTicketKey = queuePrefix .. 'ends:' .. worker

-- leaseState(id, ticket): returns three booleans: the worker holds the lock; the queue is paused; the end
-- of this lease is already stored, and only the reply was lost. Reads all of them with one command.
local function leaseState(id, ticket)
  local values = redis.call('MGET', lockPrefix .. id, queuePrefix .. 'paused', lastTicketKey)
  return values[1] == worker, values[2] ~= false, ticket ~= '' and values[3] == ticket
end

-- store(job, from): stores the fields and values in ARGV from an index on. Returns a number, or the server's
-- error. It stores them in parts, since Lua passes only some thousands of arguments to a function.
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

-- releaseUnique(id, holderKey): allows another job with the same unique key, by deleting the key that holds the
-- id of the job with it, unless that is another job already. holderKey: '' for none.
local function releaseUnique(id, holderKey)
  if holderKey ~= '' and redis.pcall('GET', holderKey) == id then
    redis.call('DEL', holderKey)
  end
end

-- priorityOf(id): returns the priority level, or false if the job has none or its metadata is not a hash.
local function priorityOf(id)
  local priority = redis.pcall('HGET', metadataPrefix .. id, 'priority')
  return type(priority) == 'string' and priority
end

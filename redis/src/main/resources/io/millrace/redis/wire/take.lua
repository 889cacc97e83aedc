-- take(entry): locks an entry that has just been moved to those that are worked on. Answers
--   JOB, entry, values of the attributes, {attempts, since, priority, unique} of this queue
--   GONE, entry, why: its hash is away, or no hash; the entry is dropped
local function take(entry)
  local job = KEYS[5] .. entry
  local fields = redis.pcall('HMGET', job, unpack(ARGV, 7, own - 1))
  if fields.err or redis.call('EXPIRE', job, ARGV[4]) == 0 then
    redis.call('LREM', KEYS[2], -1, entry)
    return {'GONE', entry, fields.err or ''}
  end
  redis.call('SET', KEYS[4] .. entry, ARGV[2], 'EX', ARGV[3])
  local meta = redis.pcall('HMGET', KEYS[6] .. entry,
    'attempts:' .. ARGV[1], 'since:' .. ARGV[1], 'priority', 'unique')
  if meta.err then
    meta = {}
  elseif meta[1] or meta[3] or meta[4] then
    redis.call('EXPIRE', KEYS[6] .. entry, ARGV[4])
    if meta[4] then
      redis.call('EXPIRE', meta[4], ARGV[4])
    end
  end
  return {'JOB', entry, fields, meta}
end

-- lease(): takes the next job that waits. Answers as take does, or PAUSED, or EMPTY.
local function lease()
  if redis.call('EXISTS', KEYS[3] .. 'paused') == 1 then
    return {'PAUSED'}
  end
  local entry = redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')
  if not entry then
    return {'EMPTY'}
  end
  return take(entry)
end

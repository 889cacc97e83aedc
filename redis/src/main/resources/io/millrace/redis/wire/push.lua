-- push(waiting, entry, own, priority): appends an entry to the list of those that wait.
--   own       begin of the queue's own keys, "millrace:queue:<queue>:"
--   priority  number as text, 1 is the most urgent; nil or false: behind all others
local function push(waiting, entry, own, priority)
  redis.call('RPUSH', waiting, entry)
end

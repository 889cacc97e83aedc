-- Tells if a job has finished, see finished.lua.
-- KEYS  1 job
-- ARGV  1 lastQueues
-- Answers 1 if it has, 0 otherwise.
--@include finished
local job, lastQueues = KEYS[1], ARGV[1]
return finished(job, lastQueues) and 1 or 0

-- Leases the next waiting job.
--   KEYS, ARGV  see queue.lua
--   answers: JOB, GONE, GROUP_LIMITED, QUEUE_LIMITED, PAUSED or EMPTY, see leasing.lua
--@include queue
--@include leasing
return leaseNextJob()

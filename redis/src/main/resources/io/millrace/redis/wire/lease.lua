-- Leases the next waiting job.
--   KEYS, ARGV  see queue.lua
--   answers: JOB, GONE, DELAYED, PAUSED, LIMITED or EMPTY, see leasing.lua
--@include queue
--@include leasing
return leaseNextJob()

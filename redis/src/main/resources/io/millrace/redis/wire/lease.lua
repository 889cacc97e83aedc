-- Takes the next job that waits.
--   keys, arguments: as queue.lua tells
--   answers: JOB, GONE, DELAYED, PAUSED, LIMITED or EMPTY, as take.lua tells
--@include queue
--@include take
return lease()

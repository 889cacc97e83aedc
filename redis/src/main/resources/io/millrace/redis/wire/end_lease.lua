-- endLease(id, isOwner, key, type, key, type...): removes a job and its lock from processing, unless one of the
-- keys has a value of another type. Returns false if the job can be changed now; otherwise the status, or the error,
-- that the script answers. Needs queue.lua.
local function endLease(id, isOwner, ...)
  if not isOwner then
    return 'LOST'
  end
  local fault = unfit(...)
  if fault then
    return fault
  end
  local exists = redis.call('EXISTS', jobPrefix .. id) == 1
  local removed = redis.call('LREM', processing, 1, id)
  redis.call('DEL', lockPrefix .. id)
  if removed == 0 then
    return 'INVALID'
  end
  return not exists and 'GONE'
end

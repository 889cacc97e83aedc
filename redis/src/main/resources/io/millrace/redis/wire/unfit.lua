-- unfit(key, kind, key, kind...): an error when a value of another kind stands under one of the keys,
-- false otherwise. Asked before anything is written: a script that fails half way is not rolled back,
-- and the entry that it had taken out would be lost.
local function unfit(...)
  local asked = {...}
  for i = 1, #asked, 2 do
    local found = redis.call('TYPE', asked[i]).ok
    if found ~= 'none' and found ~= asked[i + 1] then
      return redis.error_reply(
        'WRONGTYPE ' .. asked[i] .. ' holds a ' .. found .. ', but must hold a ' .. asked[i + 1])
    end
  end
  return false
end

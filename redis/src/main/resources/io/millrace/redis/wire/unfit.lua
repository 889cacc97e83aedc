-- unfit(key, type, key, type...): returns an error if one of the keys has a value of another type, false
-- otherwise. Scripts check this before they write: a script that fails half way is not rolled back, and an
-- entry that it had already removed from a list would be lost.
local function unfit(...)
  local expected = {...}
  for i = 1, #expected, 2 do
    local found = redis.call('TYPE', expected[i]).ok
    if found ~= 'none' and found ~= expected[i + 1] then
      return redis.error_reply(
        'WRONGTYPE ' .. expected[i] .. ' holds a ' .. found .. ', but must hold a ' .. expected[i + 1])
    end
  end
  return false
end

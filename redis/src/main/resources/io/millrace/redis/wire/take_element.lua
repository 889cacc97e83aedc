-- Takes the element at the head of a list for a trigger. An element that was taken and not dropped is returned
-- again.
--   KEYS     1 list, 2 taken: hash of the element that was taken, 3 rejected: list of elements that no event can have
--   ARGV     1 maxBytes: longest element
--   answers  {id, element}; {reason} if it was rejected; nil if there is none. The id is the server's time, which
--            differs also after the server has lost its memory.
local list, taken, rejected = KEYS[1], KEYS[2], KEYS[3]
local maxBytes = tonumber(ARGV[1])
-- Patterns of the characters of UTF-8 beyond ASCII: none has a shorter form, is half of a surrogate pair, or is
-- beyond U+10FFFF.
local tail = '[\128-\191]'
local characters = {
  '[\194-\223]' .. tail,
  '\224[\160-\191]' .. tail, '[\225-\236\238\239]' .. tail .. tail, '\237[\128-\159]' .. tail,
  '\240[\144-\191]' .. tail .. tail, '[\241-\243]' .. tail .. tail .. tail, '\244[\128-\143]' .. tail .. tail
}
local function isUtf8(text)
  for _, character in ipairs(characters) do
    text = string.gsub(text, character, '?') -- a mark, since what was beside a character must not become one
  end
  return not string.find(text, '[\128-\255]')
end
local function reject(element, reason)
  redis.call('RPUSH', rejected, element)
  return {reason}
end
local previous = redis.call('HMGET', taken, 'id', 'element')
if previous[1] and previous[2] then
  return previous
end
local element = redis.call('LPOP', list)
if not element then
  return nil
end
if #element > maxBytes then
  return reject(element, 'longer than ' .. maxBytes .. ' bytes')
end
if not isUtf8(element) then
  return reject(element, 'not UTF-8')
end
local time = redis.call('TIME')
local id = time[1] .. string.format('%06d', tonumber(time[2]))
redis.call('HSET', taken, 'id', id, 'element', element)
return {id, element}

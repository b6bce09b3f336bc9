-- The indentation of a line, from the open brackets before it.

local M = {}

---The maximum number of lines of a definition that are read.
local MAX_LINES = 2000

local CLOSING = { ['}'] = true, [')'] = true, [']'] = true }
local OPENING = { ['{'] = true, ['('] = true, ['['] = true }

---Returns the offset after a quoted string, or nil if the line does not end it.
local function end_of_string(line, quote, from)
  local at = from
  while at <= #line do
    local letter = line:sub(at, at)
    if letter == '\\' then
      at = at + 1
    elseif letter == quote then
      return at + 1
    end
    at = at + 1
  end
end

---Checks whether a slash starts a regular expression, by the code before it.
local function starts_regex(code)
  local before = code:match('(%S)%s*$')
  return not before or before:find('[~{,(:|]') ~= nil
end

---Reads a line, and updates the open brackets, the open string and the open heredoc.
local function read(state, line, indent)
  if state.heredoc then
    if vim.trim((line:gsub('^%s*|?%s*-?', ''))) == state.heredoc then
      state.heredoc = nil
    end
    return
  end
  local at = 1
  local code = ''
  -- A line that closes brackets of earlier lines continues their statement: it counts as the line that opens them.
  local start = indent
  if state.quote then
    at = end_of_string(line, state.quote, 1)
    if not at then
      return
    end
    state.quote = nil
    code = '"'
  end
  local heredoc
  while at <= #line do
    local letter = line:sub(at, at)
    local next_at = at + 1
    if letter == '#' then
      break
    elseif letter == "'" or letter == '"' then
      local after = end_of_string(line, letter, next_at)
      if not after then
        state.quote = letter
        code = code .. letter
        break
      end
      next_at = after
    elseif letter == '/' and starts_regex(code) then
      next_at = end_of_string(line, '/', next_at) or next_at
    elseif letter == '@' then
      heredoc = line:match('^@%(%s*"?([^"/:)]-)"?%s*[:/)]', at) or heredoc
    elseif OPENING[letter] then
      table.insert(state.open, start)
    elseif CLOSING[letter] then
      start = math.min(start, table.remove(state.open) or start)
    end
    code = code .. letter
    at = next_at
  end
  state.heredoc = heredoc and vim.trim(heredoc)
  code = vim.trim(code)
  if code ~= '' then
    state.last = { code = code, indent = start }
  end
end

---Returns the first line of the definition that contains a line.
local function start_of_definition(number)
  for at = number - 1, math.max(1, number - MAX_LINES), -1 do
    if vim.fn.getline(at):match('^[%w$@]') then
      return at
    end
  end
  return math.max(1, number - MAX_LINES)
end

---Returns the indentation of a line that starts with closing brackets: that of the opening line.
local function indent_of_closing(state, line)
  local count = #vim.trim(line):match('^[%]})]+')
  return state.open[math.max(1, #state.open - count + 1)] or 0
end

---Returns the indentation of a line of the current buffer, or -1 to keep it.
function M.indent_of(number)
  local state = { open = {} }
  for at = start_of_definition(number), number - 1 do
    read(state, vim.fn.getline(at), vim.fn.indent(at))
  end
  if state.quote or state.heredoc then
    return -1
  end
  local line = vim.fn.getline(number)
  if line:match('^%s*[%]})]') then
    return indent_of_closing(state, line)
  end
  local outer = state.open[#state.open]
  if not outer then
    return 0
  end
  local width = vim.fn.shiftwidth()
  local inner = outer + width
  local last = state.last
  -- A semicolon on a line of its own is below the title.
  if line:match('^%s*;') then
    return inner
  end
  if not last or last.indent <= outer then
    return inner
  end
  -- The attributes of a title on a line of its own end with a semicolon.
  if last.code:match(':$') and last.indent == inner then
    return inner + width
  end
  return last.code:match(';$') and inner or math.max(last.indent, inner)
end

---The value of 'indentexpr'.
function M.indent()
  return M.indent_of(vim.v.lnum)
end

return M

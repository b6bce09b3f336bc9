-- The `:Pupil` command.

local M = {}

local function clients()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return get({ name = 'pupil' })
end

local function tell(text, level)
  vim.notify(text, level or vim.log.levels.INFO)
end

---Shows lines in a new scratch window.
local function show(name, lines)
  vim.cmd.new()
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  pcall(vim.api.nvim_buf_set_name, buffer, 'pupil://' .. name)
end

local function stop(client, force)
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop(force)
  else
    vim.lsp.stop_client(client.id, force)
  end
end

---Stops the server, and starts it again for its buffers.
local function restart()
  local pupil = require('pupil')
  local buffers = {}
  for _, client in ipairs(clients()) do
    local attached = client.attached_buffers or {}
    for _, buffer in ipairs(vim.tbl_keys(attached)) do
      buffers[buffer] = true
    end
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and pupil.serves(buffer) then
      buffers[buffer] = true
    end
  end
  local stopped = clients()
  for _, client in ipairs(stopped) do
    stop(client, false)
  end
  local gone = vim.wait(5000, function()
    return #clients() == 0
  end, 20)
  if not gone then
    for _, client in ipairs(stopped) do
      stop(client, true)
    end
  end
  for buffer in pairs(buffers) do
    if vim.api.nvim_buf_is_valid(buffer) then
      pupil.restart_in(buffer)
    end
  end
end

---Opens Neovim's log of language servers.
local function log()
  local name = vim.lsp.log and vim.lsp.log.get_filename and vim.lsp.log.get_filename()
  vim.cmd.edit(vim.fn.fnameescape(name or vim.lsp.get_log_path()))
end

---Describes one environment in a few lines.
local function describe(environment, lines)
  local files = 0
  for _, module in ipairs(environment.modules or {}) do
    if module.origin == 'workspace' then
      files = files + ((module.files or {}).manifests or 0)
    end
  end
  table.insert(lines, ('%s: %s (%s)'):format(environment.kind, environment.root, environment.why))
  table.insert(lines, ('  %d modules, %d manifests checked'):format(#(environment.modules or {}), files))
  for _, reason in ipairs(environment.unchecked or {}) do
    table.insert(lines, '  not checked: ' .. reason)
  end
end

---Shows what the server knows about the workspace, and what it does not check.
local function status()
  local client = clients()[1]
  if not client then
    return tell('the server is not running; open a manifest to start it', vim.log.levels.WARN)
  end
  local handler = function(failure, found)
    if failure or not found then
      return tell('no answer from the server: ' .. vim.inspect(failure), vim.log.levels.ERROR)
    end
    local lines = { table.concat(require('pupil').options.cmd, ' '), '' }
    if #(found.environments or {}) == 0 then
      table.insert(lines, 'The workspace is being read, or no project was found.')
    end
    local told = {}
    for _, environment in ipairs(found.environments or {}) do
      describe(environment, lines)
      for _, reason in ipairs(environment.unchecked or {}) do
        told[reason] = true
      end
    end
    for _, note in ipairs(found.notes or {}) do
      local path = note.path ~= '.' and note.path .. ': ' or ''
      if not told[note.message] then
        table.insert(lines, ('note: %s%s'):format(path, note.message))
      end
    end
    show('status', lines)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('pupil/workspace', nil, handler)
  else
    client.request('pupil/workspace', nil, handler)
  end
end

---Evaluates lines of the buffer, or an expression.
local function eval(call)
  local code = call.code
  if code == '' then
    local lines = vim.api.nvim_buf_get_lines(0, call.first - 1, call.last, false)
    code = table.concat(lines, '\n')
  end
  local pupil = require('pupil')
  local name = vim.api.nvim_buf_get_name(0)
  -- Functions of the workspace are found from the current directory.
  local before = name ~= '' and vim.fn.chdir(pupil.root(name)) or ''
  local found = vim.fn.system({ pupil.options.cmd[1], 'eval', '--color', 'never' }, code)
  if before ~= '' then
    vim.fn.chdir(before)
  end
  local failed = vim.v.shell_error ~= 0
  tell(vim.trim(found), failed and vim.log.levels.ERROR or vim.log.levels.INFO)
end

local ACTIONS = { eval = eval, log = log, restart = restart, status = status }

---Runs `:Pupil ACTION`.
function M.run(call)
  local name, rest = call.args:match('^%s*(%S*)%s*(.*)$')
  local action = ACTIONS[name]
  if not action then
    local known = table.concat(M.complete(''), ', ')
    return tell(('unknown action “%s”; expected one of %s'):format(name, known), vim.log.levels.ERROR)
  end
  action({ code = rest, first = call.line1, last = call.line2 })
end

---Returns the actions that start with a text.
function M.complete(start)
  local names = vim.tbl_filter(function(name)
    return vim.startswith(name, start)
  end, vim.tbl_keys(ACTIONS))
  table.sort(names)
  return names
end

return M

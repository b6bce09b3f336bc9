-- The `:PupilCatalog` command: the catalog of the class or node definition at the cursor, as a tree in a window.

local M = {}

-- The pause after an edit in milliseconds.
local DEBOUNCE = 200

-- The error codes of requests that an edit overtook.
local OVERTAKEN = { [-32801] = true, [-32800] = true, [-32802] = true }

-- The files that catalogs may depend on.
local PATTERNS = { '*.pp', '*.epp', '*.yaml', '*.yml', '*.json' }

---@class pupil.Catalog
---@field source integer the buffer with the definition
---@field tree integer the buffer of the tree
---@field choice table<string, string> the facts and the node
---@field places table<integer, table> the locations of lines
---@field last? table the last catalog that Puppet accepts
---@field definition? table the range of the definition
---@field timer uv.uv_timer_t
---@field request? integer the id of the pending request
---@field group integer the autocommands

---@type pupil.Catalog?
local current

---The facts that the user chose last: a name, `vim.NIL` for unknown facts, or `nil` for the default.
local chosen_facts

local function tell(text, level)
  vim.notify(text, level or vim.log.levels.WARN)
end

---Returns the client of a buffer.
local function client_of(buffer)
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return get({ name = 'pupil', bufnr = buffer })[1]
end

---Calls a method of a client, which takes itself as an argument in Neovim 0.11 and later.
local function call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

---Fills the buffer, and keeps the views of its windows.
local function write(catalog, lines)
  local texts = {}
  catalog.places = {}
  for number, line in ipairs(lines) do
    texts[number] = line.text
    catalog.places[number] = line.uri and { uri = line.uri, range = line.range } or nil
  end
  local views = {}
  for _, window in ipairs(vim.fn.win_findbuf(catalog.tree)) do
    views[window] = vim.api.nvim_win_call(window, vim.fn.winsaveview)
  end
  vim.bo[catalog.tree].modifiable = true
  vim.api.nvim_buf_set_lines(catalog.tree, 0, -1, false, texts)
  vim.bo[catalog.tree].modifiable = false
  for window, view in pairs(views) do
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview(view)
    end)
  end
end

---Shows a notice above the last catalog.
local function notify_above(catalog, lines)
  local all = vim.list_extend({}, lines)
  if catalog.last then
    vim.list_extend(all, { { text = '' }, { text = 'The last catalog:' }, { text = '' } })
    vim.list_extend(all, catalog.last.lines)
  end
  write(catalog, all)
end

---Adds a line with the facts of a catalog below its title.
local function with_facts(found)
  local facts = type(found.facts) == 'string' and found.facts or 'unknown'
  local mark = found.hasDefaultFacts and ' (default)' or ''
  local lines = vim.list_slice(found.lines, 1, 1)
  table.insert(lines, { text = ('facts: %s%s, press f to choose others'):format(facts, mark) })
  return vim.list_extend(lines, found.lines, 2)
end

---Shows the response of the server.
local function receive(catalog, failure, found)
  if failure then
    if OVERTAKEN[failure.code] then
      return M.update(DEBOUNCE)
    end
    return notify_above(catalog, { { text = failure.message } })
  end
  -- Neovim converts `null` to `nil` or `vim.NIL`.
  if type(found) ~= 'table' then
    if not catalog.last then
      notify_above(catalog, { { text = 'Move the cursor to a class or a node definition.' } })
    end
    return
  end
  catalog.definition = found.definition
  found.lines = with_facts(found)
  if not found.hasDefaultFacts then
    chosen_facts = catalog.choice.facts
  end
  if #found.errors > 0 then
    return notify_above(catalog, found.lines)
  end
  catalog.last = found
  write(catalog, found.lines)
end

---Returns the position for the server: that of the cursor in a window of the source.
local function position(catalog, client)
  local window = vim.fn.bufwinid(catalog.source)
  if window == -1 then
    return catalog.definition and catalog.definition.start
  end
  return vim.lsp.util.make_position_params(window, client.offset_encoding).position
end

---Requests the catalog.
local function request(catalog)
  local client = client_of(catalog.source)
  if not client then
    return
  end
  if catalog.request then
    call(client, 'cancel_request', catalog.request)
  end
  local params = vim.tbl_extend('force', catalog.choice, {
    textDocument = { uri = vim.uri_from_bufnr(catalog.source) },
    position = position(catalog, client),
    format = 'text',
  })
  local id
  local _, sent = call(client, 'request', 'pupil/catalog', params, function(failure, found)
    -- The answer of an earlier request is outdated.
    if current == catalog and catalog.request == id then
      catalog.request = nil
      receive(catalog, failure, found)
    end
  end, catalog.source)
  id = sent
  catalog.request = id
end

---Requests the catalog after a pause.
function M.update(pause)
  local catalog = current
  if not catalog then
    return
  end
  catalog.timer:stop()
  catalog.timer:start(
    pause or DEBOUNCE,
    0,
    vim.schedule_wrap(function()
      if current == catalog and vim.api.nvim_buf_is_valid(catalog.source) then
        request(catalog)
      end
    end)
  )
end

---Updates the tree if the cursor has left the definition.
local function follow()
  local catalog = current
  local client = catalog and client_of(catalog.source)
  if not client then
    return
  end
  local at, range = position(catalog, client), catalog.definition
  local is_inside = range
    and (at.line > range.start.line or at.line == range.start.line and at.character >= range.start.character)
    and (at.line < range['end'].line or at.line == range['end'].line and at.character <= range['end'].character)
  if not is_inside then
    M.update()
  end
end

---Jumps to the code or data of the line at the cursor, in a window of the source.
function M.jump()
  local catalog = current
  local place = catalog and catalog.places[vim.fn.line('.')]
  if not place then
    return tell('nothing to jump to in this line')
  end
  local window = vim.fn.bufwinid(catalog.source)
  if window == -1 then
    window = vim.fn.win_getid(vim.fn.winnr('#'))
  end
  local client = client_of(catalog.source)
  local encoding = client and client.offset_encoding or 'utf-8'
  if window ~= 0 and window ~= vim.api.nvim_get_current_win() then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.new()
  end
  if vim.lsp.util.show_document then
    vim.lsp.util.show_document(place, encoding, { focus = true })
  else
    vim.lsp.util.jump_to_location(place, encoding)
  end
end

---Returns the fact sets and the nodes for which the server compiles catalogs.
local function choices_for(buffer, client)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  local answer = call(client, 'request_sync', 'pupil/catalogChoices', params, 1000, buffer)
  local choices = answer and answer.result
  return type(choices) == 'table' and choices or { facts = {}, nodes = {} }
end

---Lets the user choose the facts.
function M.choose_facts()
  local catalog = current
  local client = catalog and client_of(catalog.source)
  if not client then
    return
  end
  local names = vim.list_extend({}, choices_for(catalog.source, client).facts)
  table.insert(names, 'unknown')
  vim.ui.select(names, { prompt = 'Facts of the node' }, function(name, number)
    if name and current == catalog then
      catalog.choice.facts = number == #names and vim.NIL or name
      M.update(0)
    end
  end)
end

---Closes the tree, and stops updating it.
function M.close()
  local catalog = current
  if not catalog then
    return
  end
  current = nil
  catalog.timer:stop()
  catalog.timer:close()
  pcall(vim.api.nvim_del_augroup_by_id, catalog.group)
  if vim.api.nvim_buf_is_valid(catalog.tree) then
    vim.api.nvim_buf_delete(catalog.tree, { force = true })
  end
end

---Creates the window of the tree.
local function new_tree()
  vim.cmd('botright vnew')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  vim.wo.number = false
  vim.wo.wrap = false
  vim.wo.cursorline = true
  pcall(vim.api.nvim_buf_set_name, buffer, 'pupil://catalog')
  local map = function(keys, action, what)
    vim.keymap.set('n', keys, action, { buffer = buffer, nowait = true, desc = what })
  end
  map('<CR>', M.jump, 'Jump to the code')
  map('f', M.choose_facts, 'Choose the facts')
  map('q', M.close, 'Close the catalog')
  vim.fn.matchadd('Comment', '  # .*$')
  vim.fn.matchadd('Title', '^ *\\(Class\\|Stage\\|Node\\)\\[.*\\]')
  vim.fn.matchadd('WarningMsg', '(\\(possible\\|virtual\\|exported\\|unknown\\)[^)]*)')
  vim.fn.matchadd('ErrorMsg', '^\\(dependency cycle\\|  error\\):.*')
  return buffer
end

---Reads the arguments `facts=NAME` and `node=NAME`.
local function choice_of(arguments)
  local choice = {}
  for _, argument in ipairs(arguments) do
    local name, value = argument:match('^(%w+)=(.*)$')
    if name ~= 'facts' and name ~= 'node' then
      return nil, ('unknown argument “%s”; expected facts=NAME or node=NAME'):format(argument)
    end
    -- `facts=` stands for unknown facts.
    choice[name] = value ~= '' and value or name == 'facts' and vim.NIL or nil
  end
  if choice.facts == nil then
    choice.facts = chosen_facts
  end
  return choice
end

---Runs `:PupilCatalog [facts=NAME] [node=NAME]`.
function M.run(arguments)
  local choice, problem = choice_of(arguments)
  if not choice then
    return tell(problem, vim.log.levels.ERROR)
  end
  local source = vim.api.nvim_get_current_buf()
  if not client_of(source) then
    return tell('the server is not running; open a manifest to start it')
  end
  M.close()
  local window = vim.api.nvim_get_current_win()
  local group = vim.api.nvim_create_augroup('pupil.catalog', {})
  current = {
    source = source,
    tree = new_tree(),
    choice = choice,
    places = {},
    timer = assert((vim.uv or vim.loop).new_timer()),
    group = group,
  }
  vim.api.nvim_set_current_win(window)
  local on = function(events, options, action)
    options.group = group
    options.callback = action
    vim.api.nvim_create_autocmd(events, options)
  end
  on({ 'TextChanged', 'TextChangedI', 'BufReadPost' }, { pattern = PATTERNS }, function()
    M.update()
  end)
  on({ 'CursorMoved', 'CursorMovedI' }, { buffer = source }, follow)
  -- A buffer cannot be deleted while it is being wiped out.
  on('BufWipeout', { buffer = current.tree }, vim.schedule_wrap(M.close))
  on('BufWipeout', { buffer = source }, vim.schedule_wrap(M.close))
  M.update(0)
end

---Returns the arguments that start with a text: the fact sets and nodes of the server.
function M.complete(start)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if not client then
    return { 'facts=', 'node=' }
  end
  local choices = choices_for(buffer, client)
  local found = {}
  local add = function(argument, names)
    for _, name in ipairs(#names > 0 and names or { '' }) do
      table.insert(found, argument .. name)
    end
  end
  add('facts=', choices.facts)
  add('node=', choices.nodes)
  table.sort(found)
  return vim.tbl_filter(function(it)
    return vim.startswith(it, start)
  end, found)
end

return M

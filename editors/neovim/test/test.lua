-- Runs in a real Neovim: nvim --headless --clean -S test.lua. FIXTURE is a Puppet module.

local fixture = assert(os.getenv('FIXTURE'))
local failed = 0

local messages = {}
vim.notify = function(text)
  table.insert(messages, text)
end

local function say(text)
  io.stdout:write(text .. '\n')
end

local function test(name, body)
  local good, why = xpcall(body, debug.traceback)
  say(good and ('  ok ' .. name) or ('  FAILED ' .. name .. ': ' .. tostring(why)))
  failed = failed + (good and 0 or 1)
end

---Polls until a result is available.
local function wait_for(what, ask)
  local answer
  vim.wait(20000, function()
    answer = ask()
    return answer
  end, 20)
  return assert(answer, 'timed out waiting for ' .. what)
end

local function same(found, expected)
  assert(vim.deep_equal(found, expected), 'expected ' .. vim.inspect(expected) .. ', found ' .. vim.inspect(found))
end

local function has(text, part)
  assert(text:find(part, 1, true), 'expected ' .. part .. ' in ' .. vim.inspect(text))
end

local get_clients = vim.lsp.get_clients or vim.lsp.get_active_clients

local function client()
  return get_clients({ name = 'pupil' })[1]
end

---Opens a file, and waits until the server is attached.
local function open(name)
  vim.cmd.edit(fixture .. '/' .. name)
  local buffer = vim.api.nvim_get_current_buf()
  wait_for('the server', function()
    return client() and vim.lsp.buf_is_attached(buffer, client().id) and client().initialized
  end)
  return buffer
end

---Moves the cursor to the first occurrence of the text.
local function go_to(text, offset)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. text, 'cW') > 0, text .. ' not found')
  if (offset or 0) > 0 then
    vim.cmd.normal({ offset .. 'l', bang = true })
  end
end

---Sends a request for the cursor position, and returns the result.
local function ask(method, more)
  local encoding = client().offset_encoding
  local params = vim.lsp.util.make_position_params(0, encoding)
  params = vim.tbl_extend('force', params, more or {})
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, 20000))
  local answer = answers[client().id]
  assert(answer and not answer.err, vim.inspect(answer))
  return answer.result
end

local function hover_text()
  local found = ask('textDocument/hover')
  return found and found.contents.value or ''
end

test('a missing program is reported once', function()
  require('pupil').setup({ cmd = { '/nowhere/pupil', 'server' } })
  vim.cmd.edit(fixture .. '/manifests/init.pp')
  vim.cmd.edit(fixture .. '/manifests/site.pp')
  same(#messages, 1)
  has(messages[1], 'program “/nowhere/pupil” not found')
  messages = {}
  vim.cmd('silent! %bwipeout!')
end)

test('the first manifest starts the server', function()
  require('pupil').setup({ cmd = { assert(os.getenv('PUPIL_BINARY')), 'server' } })
  local buffer = open('manifests/init.pp')
  same(vim.bo[buffer].filetype, 'puppet')
  same(vim.fs.normalize(client().config.root_dir), fixture)
end)

test('filetypes', function()
  same(vim.bo[open('templates/shop.conf.epp')].filetype, 'epuppet')
  same(#get_clients({ name = 'pupil' }), 1)
end)

test('diagnostics', function()
  local buffer = open('manifests/wrong.pp')
  wait_for('diagnostics', function()
    return #vim.diagnostic.get(buffer) >= 3
  end)
  local codes = vim.tbl_map(function(it)
    return it.code
  end, vim.diagnostic.get(buffer))
  table.sort(codes)
  same(codes, { 'type-mismatch', 'unknown-variable', 'unused-variable' })
end)

test('hover with inferred types', function()
  open('manifests/init.pp')
  go_to('$config', 1)
  has(hover_text(), "Enum['/etc/shop/live.conf', '/etc/shop/test.conf'] $config")
  go_to('$limits', 1)
  has(hover_text(), "'files' => 4096")
  vim.lsp.buf.hover()
  wait_for('the hover window', function()
    return #vim.api.nvim_list_wins() > 1
  end)
  vim.cmd('silent! only!')
end)

test('completion', function()
  open('manifests/site.pp')
  go_to('shop::double', 10)
  local found = ask('textDocument/completion')
  local items = found.items or found
  local labels = vim.tbl_map(function(it)
    return it.label
  end, items)
  has(table.concat(labels, ' '), 'double')
end)

test('definition', function()
  open('manifests/site.pp')
  go_to('shop::double', 7)
  vim.lsp.buf.definition()
  wait_for('the other file', function()
    return vim.api.nvim_buf_get_name(0):find('functions/double.pp', 1, true)
  end)
end)

test('references', function()
  open('manifests/site.pp')
  go_to('shop::site', 7)
  local found = ask('textDocument/references', { context = { includeDeclaration = true } })
  same(#found, 3)
end)

test('rename', function()
  local buffer = open('manifests/site.pp')
  go_to('$total', 1)
  vim.lsp.buf.rename('twice')
  wait_for('the new name', function()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n'):find('$twice', 1, true)
  end)
  vim.cmd('silent edit!')
end)

test('code action', function()
  local buffer = open('manifests/wrong.pp')
  wait_for('diagnostics', function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  go_to('$greetin)', 1)
  vim.lsp.buf.code_action({
    filter = function(it)
      return it.kind == 'quickfix' and it.title:find('greeting', 1, true)
    end,
    apply = true,
  })
  wait_for('the fix', function()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n'):find('notice($greeting)', 1, true)
  end)
  vim.cmd('silent edit!')
end)

-- Neovim 0.9 has no inlay hints.
if vim.lsp.inlay_hint then
  test('inlay hints are enabled', function()
    local buffer = open('manifests/init.pp')
    assert(vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }))
    wait_for('hints', function()
      return #vim.lsp.inlay_hint.get({ bufnr = buffer }) > 3
    end)
  end)
end

test('semantic tokens', function()
  local buffer = open('manifests/init.pp')
  vim.treesitter.stop(buffer)
  go_to('$port', 1)
  local place = vim.api.nvim_win_get_cursor(0)
  wait_for('tokens', function()
    local found = vim.lsp.semantic_tokens.get_at_pos(buffer, place[1] - 1, place[2])
    return found and found[1] and found[1].type == 'parameter'
  end)
end)

test('code lenses are enabled', function()
  local buffer = open('manifests/site.pp')
  wait_for('lenses', function()
    return #vim.lsp.codelens.get(vim.lsp.codelens.enable and { bufnr = buffer } or buffer) > 0
  end)
  local lens = ask('textDocument/codeLens')[1]
  same(lens.command.command, 'pupil.showReferences')
  client().commands['pupil.showReferences'](lens.command, { client_id = client().id })
  same(vim.fn.getqflist({ title = 0 }).title, 'References')
  vim.cmd('silent! cclose')
end)

test('settings take effect immediately', function()
  local buffer = open('manifests/init.pp')
  local count = function()
    local range = { start = { line = 0, character = 0 }, ['end'] = { line = 40, character = 0 } }
    local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), range = range }
    local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/inlayHint', params, 20000)
    return #answers[client().id].result
  end
  local before = count()
  local settings = { pupil = { inlayHints = { types = false } } }
  client().settings = settings
  client().config.settings = settings
  local notify = client().notify
  if vim.fn.has('nvim-0.11') == 1 then
    client():notify('workspace/didChangeConfiguration', { settings = settings })
  else
    notify('workspace/didChangeConfiguration', { settings = settings })
  end
  wait_for('fewer hints', function()
    return count() < before
  end)
end)

test('the server restarts after a crash', function()
  local pid = tonumber(vim.fn.trim(vim.fn.system({ 'pgrep', '-P', tostring(vim.fn.getpid()), '-x', 'pupil' })))
  local before = client().id
  local uv = vim.uv or vim.loop
  uv.kill(pid, 'sigkill')
  wait_for('the server to exit', function()
    return not client()
  end)
  vim.cmd('silent! %bwipeout!')
  open('manifests/init.pp')
  assert(client().id ~= before)
  go_to('$limits', 1)
  has(hover_text(), "'files' => 4096")
end)

test('checkhealth', function()
  vim.cmd('checkhealth pupil')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  has(text, 'is pupil 0.')
  has(text, 'a.pp has filetype puppet')
  has(text, 'the server is running for ' .. fixture)
  assert(not text:find('ERROR', 1, true), text)
end)

test('the command', function()
  open('manifests/init.pp')
  messages = {}
  vim.cmd('Pupil eval 2 + 3')
  has(messages[1] or '', '5')
  go_to('$limits', 0)
  messages = {}
  vim.cmd('Pupil eval')
  has(messages[1] or '', "'files' => 4096")
  messages = {}
  vim.cmd('Pupil eval shop::double(4)')
  has(messages[1] or '', '8')
  messages = {}
  vim.cmd('Pupil nonsense')
  has(messages[1] or '', 'expected one of eval, log, restart, status')
  -- The workspace may not be loaded yet.
  local lines = wait_for('the status', function()
    vim.cmd('Pupil status')
    vim.wait(300)
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    vim.cmd('silent! only | enew')
    return text:find('module: ' .. fixture, 1, true) and text
  end)
  has(lines, 'modules, 3 manifests checked')
  open('manifests/init.pp')
  local before = client().id
  vim.cmd('Pupil restart')
  wait_for('a new server', function()
    return client() and client().id ~= before and client().initialized
  end)
  go_to('$limits', 1)
  has(hover_text(), "'files' => 4096")
end)

---Types keys in a Neovim of its own, which gets them as from a terminal, into a new manifest.
---Returns its lines.
local function typed(keys, name)
  local program = { vim.v.progpath, '--embed', '--headless', '--clean', '--cmd', 'set rtp^=' .. vim.o.rtp }
  local child = vim.fn.jobstart(program, { rpc = true })
  local function lua(code, ...)
    return vim.rpcrequest(child, 'nvim_exec_lua', code, { ... })
  end
  lua("require('pupil').setup({ cmd = { ..., 'server' } })", os.getenv('PUPIL_BINARY'))
  lua('vim.cmd.edit(...)', fixture .. '/manifests/' .. name)
  wait_for('the server', function()
    return lua("local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)(); return #all == 1 and all[1].initialized")
  end)
  vim.rpcrequest(child, 'nvim_input', 'i')
  for _, key in ipairs(keys) do
    vim.rpcrequest(child, 'nvim_input', key == '<' and '<lt>' or key)
    vim.wait(1)
  end
  vim.rpcrequest(child, 'nvim_input', '<Esc>')
  wait_for('the last key', function()
    return vim.rpcrequest(child, 'nvim_get_mode').mode == 'n'
  end)
  local lines = lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
  lua('vim.cmd.write(); vim.lsp.buf.format({ timeout_ms = 20000 })')
  local formatted = lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
  vim.fn.jobstop(child)
  vim.fn.delete(fixture .. '/manifests/' .. name)
  return lines, formatted
end

---The keys of lines without their indentation, which the editor inserts.
local function keys_of(lines)
  local keys = {}
  for index, line in ipairs(lines) do
    if index > 1 then
      table.insert(keys, '<CR>')
    end
    for key in vim.trim(line):gmatch('.') do
      table.insert(keys, key)
    end
  end
  return keys
end

test('a file that was opened before the setup is attached', function()
  local setup = ("lua require('pupil').setup({ cmd = { %q, 'server' } })"):format(os.getenv('PUPIL_BINARY'))
  local file = fixture .. '/manifests/init.pp'
  local program = { vim.v.progpath, '--embed', '--headless', '--clean', '--cmd', 'set rtp^=' .. vim.o.rtp, file, '-c', setup }
  local child = vim.fn.jobstart(program, { rpc = true })
  wait_for('the server', function()
    local code = 'local all = (vim.lsp.get_clients or vim.lsp.get_active_clients)(); return #all == 1 and all[1].initialized'
    return vim.rpcrequest(child, 'nvim_exec_lua', code, {})
  end)
  vim.fn.jobstop(child)
end)

test('a class typed with keys is laid out as the formatter would', function()
  local expected = vim.fn.readfile(assert(os.getenv('TYPED')))
  local keys = keys_of(expected)
  local found, formatted = typed(keys, 'typed.pp')
  for index, line in ipairs(expected) do
    assert(found[index] == line, ('line %d: expected “%s”, found “%s”'):format(index, line, found[index] or ''))
  end
  same(#found, #expected)
  same(formatted, expected)
  say(('     %d keys'):format(#keys))
end)

test('brackets in strings, comments, regular expressions and heredocs do not indent', function()
  local expected = {
    'class shop::brackets {',
    '  # {(',
    "  $a = '{(['",
    '  $b = "${a}{"',
    '  if $a =~ /^[(]\\/{/ {',
    "    notice([{ 'a' => 1 },",
    '      2])',
    '  }',
    '  $c = @("END"/L)',
    '  {(',
    '  | END',
    "  $d = 'x",
    '  {',
    "  '",
    '  notice($d)',
    '}',
  }
  same((typed(keys_of(expected), 'brackets.pp')), expected)
end)

test('a statement after a wrapped call or condition is not indented further', function()
  local expected = {
    'class shop::wrapped {',
    '  foo($x,',
    '    $y)',
    '  $z = 1',
    '  if ($x and',
    '    $y) {',
    '    $a = bar($x, {',
    "      'k' => 1,",
    '    })',
    '    $b = 2',
    '  }',
    '}',
  }
  same((typed(keys_of(expected), 'wrapped.pp')), expected)
end)

---Waits until a server is attached to a buffer.
local function wait_for_client(name, buffer)
  wait_for('the server ' .. name, function()
    local found = get_clients({ name = name, bufnr = buffer })[1]
    return found and found.initialized
  end)
end

---Starts the language server for YAML in a buffer.
local function start_yaml(buffer)
  local config = {
    name = 'yaml',
    cmd = { 'node', os.getenv('YAML_SERVER'), '--stdio' },
    root_dir = os.getenv('ESTATE'),
    settings = { yaml = { format = { enable = true } } },
  }
  vim.api.nvim_buf_call(buffer, function()
    vim.lsp.start(config)
  end)
  wait_for_client('yaml', buffer)
end

---Opens a file of the control repository, and waits until the server is attached.
local function open_data(name)
  local buffer = vim.fn.bufadd(os.getenv('ESTATE') .. '/' .. name)
  vim.cmd.buffer(buffer)
  wait_for_client('pupil', buffer)
  return buffer
end

---Sends a request for the cursor position to the server of the buffer, and returns the result.
local function ask_data(buffer, method)
  local server = get_clients({ name = 'pupil', bufnr = buffer })[1]
  local params = vim.lsp.util.make_position_params(0, server.offset_encoding)
  local answers = assert(vim.lsp.buf_request_sync(buffer, method, params, 20000))
  local answer = answers[server.id]
  assert(answer and not answer.err, vim.inspect(answer))
  return answer.result
end

test('data of Hiera, beside a server for YAML', function()
  local node = open_data('data/nodes/web1.example.com.yaml')
  start_yaml(node)
  local found = wait_for('diagnostics', function()
    local all = vim.diagnostic.get(node)
    return #all >= 2 and all
  end)
  local codes = vim.tbl_map(function(it)
    return it.code
  end, found)
  table.sort(codes)
  same(codes, { 'data-mismatch', 'unknown-data-key' })

  local common = open_data('data/common.yaml')
  start_yaml(common)
  go_to('web::port', 6)
  local hover = ask_data(common, 'textDocument/hover')
  has(hover.contents.value, 'Integer[1, 65535]')
  local target = ask_data(common, 'textDocument/definition')
  target = target[1] or target
  has(target.targetUri or target.uri, 'modules/web/manifests/init.pp')
end)

test('completion of data with keys', function()
  local common = open_data('data/common.yaml')
  vim.cmd.normal({ 'Goweb::mo', bang = true })
  vim.fn.cursor(vim.fn.line('$'), 9)
  local found = ask_data(common, 'textDocument/completion')
  local labels = vim.tbl_map(function(it)
    return it.label
  end, found.items or found)
  has(table.concat(labels, ' '), 'web::mode')
  vim.cmd('silent! edit!')
end)

test('only the server for YAML formats data', function()
  local common = open_data('data/common.yaml')
  start_yaml(common)
  wait_for('the layout of the server for YAML', function()
    vim.lsp.buf.format({ bufnr = common, timeout_ms = 5000 })
    return vim.fn.search('^web::port: 8080$', 'cnw') > 0
  end)
  vim.cmd('silent! edit!')
end)

test('YAML elsewhere is left alone', function()
  vim.cmd.edit(fixture .. '/.gitlab-ci.yml')
  same(vim.bo.filetype, 'yaml')
  vim.wait(500)
  same(#get_clients({ name = 'pupil', bufnr = vim.api.nvim_get_current_buf() }), 0)
end)

---Opens a file of the fixture of catalogs.
local function open_manifest(name)
  vim.cmd('silent edit! ' .. assert(os.getenv('CATALOG')) .. '/' .. name)
  local buffer = vim.api.nvim_get_current_buf()
  wait_for_client('pupil', buffer)
  return buffer
end

---Returns the lines of the tree of a catalog.
local function tree()
  local buffer = vim.fn.bufnr('pupil://catalog')
  return buffer == -1 and '' or table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

local function tree_with(part)
  return wait_for(part, function()
    local text = tree()
    return text:find(part, 1, true) and text
  end)
end

local function tree_without(part)
  wait_for('no ' .. part, function()
    local text = tree()
    return text ~= '' and not text:find(part, 1, true)
  end)
end

---Presses <CR> in the line of the tree that contains a text.
local function jump(part)
  vim.api.nvim_set_current_win(vim.fn.bufwinid('pupil://catalog'))
  go_to(part)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<CR>', true, false, true), 'x', false)
  return vim.api.nvim_get_current_line()
end

test('the catalog beside the manifest', function()
  vim.cmd('silent! only!')
  local buffer = open_manifest('modules/web/manifests/init.pp')
  -- The workspace may still be loading.
  wait_for('the tree', function()
    vim.cmd('PupilCatalog')
    vim.wait(300)
    return tree():find('Package[nginx]', 1, true)
  end)
  same(vim.api.nvim_get_current_buf(), buffer)
  local text = tree_with('port  => 8080')
  -- The only fact set of the workspace.
  has(text, 'class web with facts linux: 13 resources, 2 classes')
  has(text, 'facts: linux (default), press f to choose others')
  has(text, '# data/common.yaml:2')
  has(jump('Service[nginx]  # '), "service { 'nginx':")
  has(jump('notify  => Service[nginx]'), "notify  => Service['nginx'],")
  same(vim.api.nvim_get_current_buf(), buffer)
  has(jump('port  => 8080'), 'web::port: 8080')
  has(jump('Exec[open port]'), "exec { 'open port':")
  -- The tree stays with the class.
  vim.wait(500)
  has(tree(), 'class web with facts linux:')
end)

test('the catalog follows edits', function()
  local buffer = open_manifest('modules/web/manifests/init.pp')
  go_to('  contain web::firewall')
  vim.cmd.normal({ "Ocron { 'nightly': command => '/bin/true' }", bang = true })
  vim.cmd.doautocmd('TextChanged')
  tree_with('Cron[nightly]')
  vim.cmd.normal({ 'u', bang = true })
  vim.cmd.doautocmd('TextChanged')
  tree_without('Cron[nightly]')
  vim.cmd('%s/ensure => running/ensure =>/')
  vim.cmd.doautocmd('TextChanged')
  local text = tree_with('Puppet rejects this catalog')
  has(text, 'The last catalog:')
  has(text, 'Package[nginx]')
  has(jump('  error: '), 'ensure =>')
  vim.api.nvim_buf_call(buffer, function()
    vim.cmd('silent undo')
    vim.cmd.doautocmd('TextChanged')
  end)
  tree_without('Puppet rejects this catalog')
end)

test('the catalog for facts and a node', function()
  open_manifest('modules/web/manifests/init.pp')
  same(vim.fn.getcompletion('PupilCatalog facts=li', 'cmdline'), { 'facts=linux' })
  same(vim.fn.getcompletion('PupilCatalog node=', 'cmdline'), { 'node=web1.example.com' })
  vim.cmd('PupilCatalog facts=linux node=web1.example.com')
  tree_with('class web on web1.example.com with facts linux:')
  has(tree(), 'Notify[linux]')
  has(tree(), 'facts: linux, press f to choose others')
  vim.cmd('PupilCatalog facts=')
  tree_with('facts: unknown, press f to choose others')
  vim.api.nvim_set_current_win(vim.fn.bufwinid('pupil://catalog'))
  local select = vim.ui.select
  vim.ui.select = function(names, _, chosen)
    same(names[1], 'linux')
    chosen(names[1], 1)
  end
  vim.api.nvim_feedkeys('f', 'x', false)
  vim.ui.select = select
  tree_with('class web with facts linux:')
  vim.cmd('wincmd p')
  open_manifest('modules/web/manifests/init.pp')
  vim.cmd('PupilCatalog facts=unix')
  tree_with('unknown fact set `unix`; expected one of linux, ')
  open_manifest('manifests/site.pp')
  go_to('unknown node')
  vim.cmd('PupilCatalog')
  -- The facts that were chosen last, and not those that do not exist.
  tree_with('default with facts linux: 1 resource')
  go_to('include web')
  vim.cmd.doautocmd('CursorMoved')
  tree_with('web1.example.com with facts linux: ')
end)

test('the catalog closes', function()
  vim.api.nvim_set_current_win(vim.fn.bufwinid('pupil://catalog'))
  vim.api.nvim_feedkeys('q', 'x', false)
  same(vim.fn.bufnr('pupil://catalog'), -1)
  same(pcall(vim.api.nvim_get_autocmds, { group = 'pupil.catalog' }), false)
  vim.cmd('PupilCatalog')
  tree_with('web1.example.com with facts linux: ')
  vim.cmd('bwipeout! pupil://catalog')
  vim.wait(100)
  same(pcall(vim.api.nvim_get_autocmds, { group = 'pupil.catalog' }), false)
  messages = {}
  vim.cmd('PupilCatalog nodes=x')
  has(messages[1], 'unknown argument “nodes=x”')
end)

test('help', function()
  vim.cmd('helptags ' .. vim.fn.fnameescape(os.getenv('DOC')))
  vim.cmd('help pupil-settings')
  has(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'), 'puppetVersion')
end)

vim.cmd('silent! %bwipeout!')
for _, it in ipairs(get_clients()) do
  if it.stop and vim.fn.has('nvim-0.11') == 1 then
    it:stop()
  else
    vim.lsp.stop_client(it.id)
  end
end
vim.wait(3000, function()
  return #get_clients() == 0
end, 20)
vim.cmd(failed == 0 and 'qall!' or 'cquit')

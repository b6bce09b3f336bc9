-- Tests the configuration for Neovim without the plugin: nvim --headless -u INIT -S neovim.lua

local fixture = assert(os.getenv('FIXTURE'))

local function open(name)
  vim.cmd.edit(fixture .. '/' .. name)
  assert(vim.bo.filetype == 'puppet', vim.bo.filetype)
end

local function wait_for(what, ask)
  assert(vim.wait(30000, ask, 50), 'timed out waiting for ' .. what)
  io.stdout:write('  ok ' .. what .. '\n')
end

local good, why = xpcall(function()
  open('manifests/wrong.pp')
  wait_for('diagnostics', function()
    local found = {}
    for _, it in ipairs(vim.diagnostic.get(0)) do
      found[it.code] = true
    end
    return found['unknown-variable'] and found['type-mismatch']
  end)

  if os.getenv('SETTINGS') then
    -- In Puppet 7, unknown variables are only warnings.
    wait_for('settings', function()
      for _, it in ipairs(vim.diagnostic.get(0)) do
        if it.code == 'unknown-variable' then
          return it.severity == vim.diagnostic.severity.WARN
        end
      end
    end)
  end

  open('manifests/init.pp')
  vim.fn.search([[\V$config]], 'cw')
  vim.cmd.normal({ 'l', bang = true })
  local client
  wait_for('hover', function()
    client = client or (vim.lsp.get_clients or vim.lsp.get_active_clients)({ name = 'pupil', bufnr = 0 })[1]
    if not client then
      return false
    end
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 5000) or {}
    local answer = (answers[client.id] or {}).result
    return answer and answer.contents.value:find("Enum['/etc/shop/live.conf', '/etc/shop/test.conf']", 1, true)
  end)
end, debug.traceback)
if not good then
  io.stdout:write('  FAILED ' .. tostring(why) .. '\n')
end
vim.cmd(good and 'qall!' or 'cquit!')

-- `:checkhealth pupil`

local M = {}

local health = vim.health
-- The names before Neovim 0.10.
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error
local info = health.info or health.report_info

local function check_neovim()
  if vim.fn.has('nvim-0.8') == 0 then
    fail('Pupil requires Neovim 0.8 or later')
    return
  end
  ok('Neovim is recent enough')
  if not vim.lsp.inlay_hint then
    info('inlay hints require Neovim 0.10 or later')
  end
end

local function check_program(pupil)
  local program = pupil.options.cmd[1]
  if vim.fn.executable(program) ~= 1 then
    fail(pupil.missing())
    return
  end
  local output = vim.trim(vim.fn.system({ program, '--version' }))
  if output:match('^pupil %d') then
    ok(('%s is %s'):format(vim.fn.exepath(program), output))
  else
    fail(('%s is not Pupil: `--version` printed “%s”'):format(program, output:sub(1, 60)))
  end
end

local function check_filetypes()
  for name, expected in pairs({ ['a.pp'] = 'puppet', ['a.epp'] = 'epuppet' }) do
    local found = vim.filetype.match({ filename = name })
    if found == expected then
      ok(('%s has filetype %s'):format(name, expected))
    else
      warn(('%s has filetype %s, expected %s'):format(name, found or 'none', expected))
    end
  end
end

local function check_clients()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  local clients = get({ name = 'pupil' })
  if #clients == 0 then
    info('the server is not running; open a manifest to start it')
  end
  for _, client in ipairs(clients) do
    local attached = client.attached_buffers or vim.lsp.get_buffers_by_client_id(client.id)
    local buffers = vim.tbl_count(attached)
    ok(('the server is running for %s with %d buffers'):format(client.config.root_dir or 'single files', buffers))
  end
end

function M.check()
  start('pupil')
  local pupil = require('pupil')
  check_neovim()
  check_program(pupil)
  check_filetypes()
  check_clients()
end

return M

-- The client configuration for Pupil.
--
-- `require('pupil').setup()` starts the server for every Puppet file. In Neovim 0.11 and later,
-- `vim.lsp.enable('pupil')` is an alternative; `lsp/pupil.lua` returns the configuration defined here.

local M = {}

---@class pupil.Options
---@field cmd? string[] the command that starts the server
---@field root_markers? string[] the files that mark the root of a workspace
---@field settings? table the server settings; see `:help pupil-settings`
---@field inlay_hints? boolean whether to show inlay hints (0.10 and later)
---@field code_lens? boolean whether to show code lenses
---@field data? boolean whether to attach to data of Hiera
---@field format_on_save? boolean whether to format manifests before they are written
M.options = {
  cmd = { 'pupil', 'server' },
  -- A control repository takes precedence over a module in it.
  root_markers = { 'environment.conf', 'Puppetfile', 'metadata.json', '.git' },
  settings = {},
  inlay_hints = true,
  code_lens = true,
  data = true,
  format_on_save = false,
}

-- The file types of Puppet code, of data of Hiera, and of templates in ERB.
local PUPPET = { 'puppet', 'epuppet' }
local DATA = { 'yaml', 'json' }
local ERB = 'eruby'

M.filetypes = vim.list_extend(vim.list_extend({ ERB }, PUPPET), DATA)

-- The command of code lenses. Its arguments are a document, a position and locations.
local SHOW_REFERENCES = 'pupil.showReferences'

---Returns the configuration for `vim.lsp.start` and `vim.lsp.config`.
function M.config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { commands = { commands = { SHOW_REFERENCES } } }
  local handlers = {}
  -- Without this method, Neovim ignores that the lenses are ready once the workspace is loaded.
  if not vim.lsp.handlers['workspace/codeLens/refresh'] then
    capabilities.workspace.codeLens = { refreshSupport = true }
    handlers['workspace/codeLens/refresh'] = M.refresh_all_lenses
  end
  return {
    name = 'pupil',
    cmd = M.options.cmd,
    filetypes = M.filetypes,
    root_markers = M.options.root_markers,
    root_dir = M.root_of_buffer,
    settings = { pupil = M.options.settings },
    init_options = M.options.settings,
    capabilities = capabilities,
    handlers = handlers,
    commands = { [SHOW_REFERENCES] = M.show_references },
  }
end

---Shows locations in the quickfix list, or jumps to the only one.
function M.show_references(command, context)
  local places = command.arguments[3] or {}
  local client = vim.lsp.get_client_by_id(context.client_id)
  local encoding = client and client.offset_encoding or 'utf-8'
  if #places == 0 then
    return
  end
  local items = vim.lsp.util.locations_to_items(places, encoding)
  vim.fn.setqflist({}, ' ', { title = 'References', items = items })
  vim.cmd(#items == 1 and 'cfirst' or 'copen')
end

---@param options? pupil.Options
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  if not vim.lsp.start then
    vim.notify('Pupil requires Neovim 0.8 or later', vim.log.levels.ERROR)
    return
  end
  if vim.lsp.config then
    vim.lsp.config('pupil', M.config())
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('pupil.start', {}),
    pattern = M.filetypes,
    callback = function(event)
      M.start(event.buf)
    end,
  })
  -- Start the server for files that are already open.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and M.serves(buffer) then
      M.start(buffer)
    end
  end
end

---Checks whether a buffer has Puppet code, is a template of a module, or may have data of Hiera: it is below a
---`hiera.yaml`.
function M.serves(buffer)
  local filetype = vim.bo[buffer].filetype
  if vim.bo[buffer].buftype ~= '' then
    return false
  end
  if vim.tbl_contains(PUPPET, filetype) then
    return true
  end
  if filetype == ERB then
    -- Other projects have such templates too.
    local module = vim.api.nvim_buf_get_name(buffer):match('^(.*)/templates/')
    return module ~= nil and vim.fn.isdirectory(module .. '/manifests') == 1
  end
  if not (M.options.data and vim.tbl_contains(DATA, filetype)) then
    return false
  end
  local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
  return vim.fs.find('hiera.yaml', { path = folder, upward = true, type = 'file' })[1] ~= nil
end

local notified = false

---Starts the server for a buffer, or attaches the buffer to the running server.
function M.start(buffer)
  if not M.serves(buffer) then
    return
  end
  if vim.fn.executable(M.options.cmd[1]) ~= 1 then
    if not notified then
      notified = true
      vim.notify(M.missing(), vim.log.levels.ERROR)
    end
    return
  end
  if vim.lsp.config then
    -- Neovim 0.11 and later attach buffers on their own.
    vim.lsp.enable('pupil')
    -- But while Neovim starts, not those whose file type is already set, such as before `-c` commands.
    if vim.v.vim_did_enter == 0 then
      vim.api.nvim_create_autocmd('VimEnter', {
        group = vim.api.nvim_create_augroup('pupil.enter', {}),
        once = true,
        callback = function()
          vim.lsp.enable('pupil')
        end,
      })
    end
    return
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  local config = M.config()
  config.root_dir = M.root(name)
  vim.api.nvim_buf_call(buffer, function()
    vim.lsp.start(config)
  end)
end

---Starts the server for a buffer after it was stopped.
function M.restart_in(buffer)
  if not vim.lsp.config then
    return M.start(buffer)
  end
  local config = vim.lsp.config.pupil or M.config()
  config.root_dir = M.root(vim.api.nvim_buf_get_name(buffer))
  vim.lsp.start(config, { bufnr = buffer })
end

---Returns the error message for a missing server.
function M.missing()
  return ('Pupil cannot start: program “%s” not found. Install it, or configure its path: '):format(
    M.options.cmd[1]
  ) .. "require('pupil').setup({ cmd = { '/path/to/pupil', 'server' } })"
end

---Returns the root of the workspace of a file. The order of the markers takes precedence over distance.
function M.root(name)
  local folder = vim.fs.dirname(name)
  local configured = vim.lsp.config and vim.lsp.config.pupil
  local markers = configured and configured.root_markers or M.options.root_markers
  for _, marker in ipairs(markers) do
    local found = vim.fs.find(marker, { path = folder, upward = true })[1]
    if found then
      return vim.fs.dirname(found)
    end
  end
  return folder
end

---Calls back with the root of the workspace of a buffer, unless the server has nothing to do there.
function M.root_of_buffer(buffer, on_root)
  if M.serves(buffer) then
    on_root(M.root(vim.api.nvim_buf_get_name(buffer)))
  end
end

-- The buffers whose code lenses are shown.
local buffers_with_lenses = {}

---Requests the code lenses of a buffer.
function M.refresh_lenses(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) then
    buffers_with_lenses[buffer] = nil
    return
  end
  -- Before 0.10, only the lenses of the current buffer can be requested.
  vim.api.nvim_buf_call(buffer, function()
    vim.lsp.codelens.refresh(vim.fn.has('nvim-0.10') == 1 and { bufnr = buffer } or nil)
  end)
end

---Requests the code lenses of all buffers. It handles a request of the server.
function M.refresh_all_lenses()
  for _, buffer in ipairs(vim.tbl_keys(buffers_with_lenses)) do
    M.refresh_lenses(buffer)
  end
  return vim.NIL
end

---Enables inlay hints and code lenses in a buffer, if this version of Neovim supports them.
function M.attach(client, buffer)
  local capabilities = client.server_capabilities
  if M.options.format_on_save and vim.bo[buffer].filetype == 'puppet' then
    vim.api.nvim_create_autocmd('BufWritePre', {
      group = vim.api.nvim_create_augroup('pupil.format.' .. buffer, {}),
      buffer = buffer,
      callback = function()
        vim.lsp.buf.format({ bufnr = buffer, name = 'pupil', timeout_ms = 2000 })
      end,
    })
  end
  if M.options.inlay_hints and capabilities.inlayHintProvider and vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if not (M.options.code_lens and capabilities.codeLensProvider) then
    return
  end
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  buffers_with_lenses[buffer] = true
  local refresh = function()
    M.refresh_lenses(buffer)
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('pupil.lens.' .. buffer, {}),
    buffer = buffer,
    callback = refresh,
  })
  refresh()
end

return M

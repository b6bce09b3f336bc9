-- Pupil in Neovim: what is needed beside the server itself.
--
-- `require('pupil').setup()` starts it for every Puppet file. From 0.11 on, `vim.lsp.enable('pupil')`
-- does the same without it; `lsp/pupil.lua` takes the configuration from here.

local M = {}

---@class pupil.Options
---@field cmd? string[] how the server is started
---@field root_markers? string[] the files that make a folder a workspace
---@field settings? table what the server asks for: `:help pupil-settings`
---@field inlay_hints? boolean whether hints are shown (0.10 and later)
---@field code_lens? boolean whether lenses are shown
M.options = {
  cmd = { 'pupil', 'server' },
  -- The control repository before the module in it.
  root_markers = { 'environment.conf', 'Puppetfile', 'metadata.json', '.git' },
  settings = {},
  inlay_hints = true,
  code_lens = true,
}

M.filetypes = { 'puppet', 'epuppet' }

-- The command that lenses name: a document, a position, places.
local SHOW_REFERENCES = 'pupil.showReferences'

---What `vim.lsp.start` and `vim.lsp.config` take.
function M.config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { commands = { commands = { SHOW_REFERENCES } } }
  return {
    name = 'pupil',
    cmd = M.options.cmd,
    filetypes = M.filetypes,
    root_markers = M.options.root_markers,
    settings = { pupil = M.options.settings },
    init_options = M.options.settings,
    capabilities = capabilities,
    commands = { [SHOW_REFERENCES] = M.show_references },
  }
end

---Shows places in the quickfix list, or goes to the only one.
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
    vim.notify('Pupil needs Neovim 0.8 or later', vim.log.levels.ERROR)
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
  -- Files that are open already.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(M.filetypes, vim.bo[buffer].filetype) then
      M.start(buffer)
    end
  end
end

local told = false

---Starts the server for a buffer, or gives it to the one that runs.
function M.start(buffer)
  if vim.bo[buffer].buftype ~= '' then
    return
  end
  if vim.fn.executable(M.options.cmd[1]) ~= 1 then
    if not told then
      told = true
      vim.notify(M.missing(), vim.log.levels.ERROR)
    end
    return
  end
  if vim.lsp.config then
    -- From 0.11 on, Neovim does the rest.
    vim.lsp.enable('pupil')
    return
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  local config = M.config()
  config.root_dir = M.root(name)
  vim.api.nvim_buf_call(buffer, function()
    vim.lsp.start(config)
  end)
end

---What is said when there is no server.
function M.missing()
  return ('Pupil cannot start: there is no program “%s”. Install it from a release of Pupil, or say where it is: '):format(
    M.options.cmd[1]
  ) .. "require('pupil').setup({ cmd = { '/path/to/pupil', 'server' } })"
end

---The workspace of a file: the first marker counts the most, then the nearest folder.
function M.root(name)
  local folder = vim.fs.dirname(name)
  for _, marker in ipairs(M.options.root_markers) do
    local found = vim.fs.find(marker, { path = folder, upward = true })[1]
    if found then
      return vim.fs.dirname(found)
    end
  end
  return folder
end

---Switches on, in a buffer, what this Neovim can show.
function M.attach(client, buffer)
  local capabilities = client.server_capabilities
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
  local refresh = function()
    if vim.api.nvim_buf_is_valid(buffer) then
      vim.lsp.codelens.refresh(vim.fn.has('nvim-0.10') == 1 and { bufnr = buffer } or nil)
    end
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('pupil.lens.' .. buffer, {}),
    buffer = buffer,
    callback = refresh,
  })
  refresh()
end

return M

-- Pupil for `vim.lsp.enable('pupil')`, Neovim 0.11 and later.
return {
  cmd = { 'pupil', 'server' },
  filetypes = { 'puppet', 'epuppet' },
  -- The control repository before the module in it.
  root_markers = { 'environment.conf', 'Puppetfile', 'metadata.json', '.git' },
}

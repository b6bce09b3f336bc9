---@brief
---
--- @REPOSITORY@
---
--- @DESCRIPTION@. It needs neither Ruby nor a Puppet agent.
---
--- Neovim detects manifests (`puppet`); for templates, add:
---
--- ```lua
--- vim.filetype.add { extension = { epp = 'epuppet' } }
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'pupil', 'server' },
  filetypes = { 'puppet', 'epuppet' },
  root_markers = { 'environment.conf', 'Puppetfile', 'metadata.json', '.git' },
}

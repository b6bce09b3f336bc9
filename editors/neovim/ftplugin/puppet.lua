-- The style of Puppet manifests.

if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1

vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.bo.comments = ':#'
vim.bo.commentstring = '# %s'
vim.b.undo_ftplugin = 'setlocal expandtab< shiftwidth< softtabstop< comments< commentstring<'

-- Setup that applies regardless of how the server was started.

if vim.g.loaded_pupil or vim.fn.has('nvim-0.8') == 0 then
  return
end
vim.g.loaded_pupil = true

vim.api.nvim_create_user_command('Pupil', function(call)
  require('pupil.command').run(call)
end, {
  nargs = '+',
  range = true,
  desc = 'Control the language server for Puppet',
  complete = function(start)
    return require('pupil.command').complete(start)
  end,
})

vim.api.nvim_create_user_command('PupilCatalog', function(call)
  require('pupil.catalog').run(call.fargs)
end, {
  nargs = '*',
  desc = 'Show the catalog of the class or node definition at the cursor',
  complete = function(start)
    return require('pupil.catalog').complete(start)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('pupil', {}),
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'pupil' then
      require('pupil').attach(client, event.buf)
    end
  end,
})

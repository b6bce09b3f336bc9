-- The configuration for `vim.lsp.enable('pupil')` in Neovim 0.11 and later.
return require('pupil').config()

-- Pupil for `vim.lsp.enable('pupil')`, Neovim 0.11 and later.
return require('pupil').config()

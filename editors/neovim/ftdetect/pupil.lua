-- By itself Neovim takes some `.pp` files for Pascal.
vim.filetype.add({ extension = { pp = 'puppet', epp = 'epuppet' } })

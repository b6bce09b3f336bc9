-- Neovim detects some `.pp` files as Pascal.
vim.filetype.add({ extension = { pp = 'puppet', epp = 'epuppet' } })

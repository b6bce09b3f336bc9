-- Neovim detects some `.pp` files as Pascal, and no `.eyaml`.
vim.filetype.add({ extension = { pp = 'puppet', epp = 'epuppet', eyaml = 'yaml' } })

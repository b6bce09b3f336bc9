-- Indents new lines of manifests as `pupil format` lays them out.

if vim.b.did_indent then
  return
end
vim.b.did_indent = 1

vim.bo.indentexpr = "v:lua.require'pupil.indent'.indent()"
vim.bo.indentkeys = '0},0),0],0;,o,O,!^F'
vim.b.undo_indent = 'setlocal indentexpr< indentkeys<'

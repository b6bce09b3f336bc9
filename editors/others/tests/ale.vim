" ALE in a real Vim; see vim.vim.

call Open('manifests/wrong.pp')
call WaitFor('diagnostics', {-> HasAll(map(copy(ale#engine#GetLoclist(bufnr(''))), 'v:val.text'), g:wrong)})
call Say('ok diagnostics')

call Open('manifests/init.pp')
call search('\V$config', 'w')
normal! l
let g:ale_hover_to_preview = 1
let s:tries = 0
function! s:hover() abort
  " The first result may be incomplete while the server loads the workspace.
  if s:tries % 10 == 0
    ALEHover
  endif
  let s:tries += 1
  return stridx(Preview(), g:right) >= 0
endfunction
call WaitFor('a hover', function('s:hover'))
call Say('ok hover')
qall!

" vim-lsp in a real Vim; see vim.vim.

let g:lsp_hover_ui = 'preview'
let g:lsp_preview_autoclose = 0

function! s:messages() abort
  let l:found = []
  for l:one in values(lsp#internal#diagnostics#state#_get_all_diagnostics_grouped_by_server_for_uri(
      \ lsp#utils#get_buffer_uri()))
    call extend(l:found, map(copy(l:one.params.diagnostics), 'v:val.message'))
  endfor
  return l:found
endfunction

call lsp#enable()
call Open('manifests/wrong.pp')
call WaitFor('diagnostics', {-> HasAll(s:messages(), g:wrong)})
call Say('ok diagnostics')

call Open('manifests/init.pp')
call search('\V$config', 'w')
normal! l
let s:tries = 0
function! s:hover() abort
  if s:tries % 10 == 0
    LspHover
  endif
  let s:tries += 1
  return stridx(Preview(), g:right) >= 0
endfunction
call WaitFor('a hover', function('s:hover'))
call Say('ok hover')
qall!

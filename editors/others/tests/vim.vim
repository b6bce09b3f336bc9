" Helpers of the Vim tests. $FIXTURE is a Puppet module, $RESULT the file for the results.

set nocompatible noswapfile hidden columns=160 lines=50
let s:results = []

function! Say(text) abort
  call add(s:results, a:text)
  call writefile(s:results, $RESULT)
endfunction

" Polls Ask until it returns a true value.
function! WaitFor(what, Ask) abort
  for l:try in range(600)
    if a:Ask()
      return
    endif
    sleep 50m
  endfor
  call Fail('timed out waiting for ' . a:what)
endfunction

function! Fail(why) abort
  call Say('FAILED ' . a:why)
  cquit!
endfunction

function! Open(name) abort
  execute 'edit' fnameescape($FIXTURE . '/' . a:name)
  if &filetype !=# 'puppet'
    call Fail(a:name . ' is ' . &filetype)
  endif
endfunction

" Checks whether each part occurs in one of the texts.
function! HasAll(texts, parts) abort
  return len(filter(copy(a:parts), {_, part -> match(a:texts, '\V' . part) >= 0})) == len(a:parts)
endfunction

" Returns the text of the preview window.
function! Preview() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow')
      return join(getbufline(winbufnr(l:window), 1, '$'), "\n")
    endif
  endfor
  return ''
endfunction

let g:wrong = ['unknown variable `$greetin`', 'expects `Integer[1024, 65535]`']
let g:right = "Enum['/etc/shop/live.conf', '/etc/shop/test.conf']"

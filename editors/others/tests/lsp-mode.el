;;; lsp-mode in a real Emacs; see emacs.el. -*- lexical-binding: t -*-

;; Disable interactive questions.
(setq lsp-auto-guess-root t
      lsp-enable-suggest-server-download nil
      lsp-session-file (concat (getenv "HOME") "/lsp-session")
      lsp-diagnostics-provider :flymake
      lsp-headerline-breadcrumb-enable nil)

(defun pupil-ready ()
  (run-hooks 'window-configuration-change-hook)
  (seq-some (lambda (it) (eq (lsp--workspace-status it) 'initialized)) (lsp-workspaces)))

(defun pupil-start (name)
  "Opens a file and starts the server.\nlsp-deferred never does in batch mode, where Emacs is not idle."
  (pupil-open name)
  (unless (memq #'lsp-deferred puppet-mode-hook)
    (error "The hook is missing"))
  (unless (lsp-workspaces)
    (lsp))
  (pupil-wait-for "the server" #'pupil-ready))

(pupil-start "manifests/wrong.pp")
(pupil-flymake '("unknown variable `$greetin`" "expects `Integer[1024, 65535]`"))
(pupil-say "diagnostics")

(pupil-start "manifests/init.pp")
(pupil-go-to "$config =")
(pupil-wait-for
 "a hover"
 (lambda ()
   (let ((found (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
     (and found (string-search "Enum['/etc/shop/live.conf', '/etc/shop/test.conf']"
                               (lsp--render-on-hover-content (lsp:hover-contents found) t))))))
(pupil-say "hover")

(mapc #'lsp-workspace-shutdown (lsp-workspaces))

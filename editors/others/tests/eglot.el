;;; eglot in a real Emacs; see emacs.el. -*- lexical-binding: t -*-

(pupil-open "manifests/wrong.pp")
(pupil-wait-for "the server" #'eglot-current-server)
(pupil-flymake '("unknown variable `$greetin`" "expects `Integer[1024, 65535]`"))
(pupil-say "diagnostics")
(when (getenv "SETTINGS")
  ;; In Puppet 7, unknown variables are only warnings.
  (pupil-wait-for
   "settings"
   (lambda ()
     (seq-some (lambda (it)
                 (and (string-search "`$greetin`" (flymake-diagnostic-text it))
                      (eq (flymake-diagnostic-type it) 'eglot-warning)))
               (flymake-diagnostics))))
  (pupil-say "settings"))

(pupil-open "manifests/init.pp")
(pupil-wait-for "the server" #'eglot-managed-p)
(pupil-go-to "$config =")
(let (shown)
  (pupil-wait-for
   "a hover"
   (lambda ()
     (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
     (accept-process-output nil 0.2)
     (and shown (string-search "Enum['/etc/shop/live.conf', '/etc/shop/test.conf']" shown)))))
(pupil-say "hover")

(eglot-shutdown (eglot-current-server))

;;; Helpers of the Emacs tests: emacs --batch -l tests/emacs.el -l INIT -l tests/CLIENT.el -*- lexical-binding: t -*-
;;
;; FIXTURE is a Puppet module. INIT contains the configuration that starts the server.

(package-initialize)
(setq debug-on-error t
      make-backup-files nil)

(defvar pupil-fixture (file-name-as-directory (getenv "FIXTURE")))

(defun pupil-say (text)
  (princ (concat "  ok " text "\n") #'external-debugging-output))

(defun pupil-wait-for (what ask)
  "Polls ASK until it returns a result."
  (let ((end (+ (float-time) 30))
        answer)
    (while (and (not (setq answer (funcall ask))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or answer (error "Timed out waiting for %s" what))))

(defun pupil-open (name)
  "Opens a file, and runs the hooks that wait for the next command."
  (switch-to-buffer (find-file-noselect (concat pupil-fixture name)))
  (unless (derived-mode-p 'puppet-mode)
    (error "%s is not in puppet-mode" name))
  (run-hooks 'post-command-hook))

(defun pupil-go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (backward-char))

(defun pupil-flymake (texts)
  "Waits for diagnostics that contain TEXTS."
  (pupil-wait-for
   "diagnostics"
   (lambda ()
     (let ((found (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
       (seq-every-p (lambda (text) (seq-some (lambda (it) (string-search text it)) found)) texts)))))

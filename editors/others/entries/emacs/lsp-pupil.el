;;; lsp-pupil.el --- lsp-mode client for Pupil -*- lexical-binding: t; -*-

;; Keywords: languages, puppet, openvox
;; URL: @REPOSITORY@

;;; Commentary:

;; @DESCRIPTION@: @REPOSITORY@
;; Add the file to clients/, `lsp-pupil' to `lsp-client-packages', and `puppet-mode' to
;; `lsp-language-id-configuration' if it is missing there.

;;; Code:

(require 'lsp-mode)

(defgroup lsp-pupil nil
  "LSP support for Puppet and OpenVox with Pupil."
  :group 'lsp-mode
  :link '(url-link "@REPOSITORY@")
  :package-version '(lsp-mode . "9.0.1"))

(defcustom lsp-pupil-server-command '("pupil" "server")
  "The command that starts the server."
  :type '(repeat string)
  :group 'lsp-pupil
  :package-version '(lsp-mode . "9.0.1"))

(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection (lambda () lsp-pupil-server-command))
  :activation-fn (lsp-activate-on "puppet")
  :priority 1
  :server-id 'pupil))

(lsp-consistency-check lsp-pupil)

(provide 'lsp-pupil)
;;; lsp-pupil.el ends here

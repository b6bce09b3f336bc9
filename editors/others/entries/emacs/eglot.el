;;; Add to `eglot-server-programs' in eglot.el:  -*- lexical-binding: t -*-

((puppet-mode puppet-ts-mode) . ("pupil" "server"))

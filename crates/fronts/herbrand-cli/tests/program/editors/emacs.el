;;; emacs.el --- Drives eglot against the language server, and writes a line per feature that works.  -*- lexical-binding: t -*-

;; `FOLDER' is a folder with `domain.pddl' and `p01.pddl', and `OUT' the file of results. The settings of the page are loaded before.

(require 'eglot)
(require 'flymake)
(require 'imenu)

(setq eglot-connect-timeout 30 eglot-sync-connect 30 eglot-confirm-server-initiated-edits nil)

(defun told (name)
  (append-to-file (concat name "\n") nil (getenv "OUT")))

(defun wait (what check)
  "Wait until CHECK returns a value, and return that."
  (let ((end (+ (float-time) 30)) found)
    (while (not (setq found (funcall check)))
      (when (> (float-time) end) (error "No %s" what))
      (accept-process-output nil 0.02))
    found))

(defun open (name)
  "Open a file as a user does; its mode starts the server after the command."
  (switch-to-buffer (find-file-noselect (expand-file-name name (getenv "FOLDER"))))
  (run-hooks 'post-command-hook)
  (wait "client" (lambda () (bound-and-true-p eglot--managed-mode)))
  (current-buffer))

(defun to (word &optional inside)
  "Move to the first place of WORD, INSIDE characters behind its start."
  (goto-char (point-min))
  (search-forward word)
  (goto-char (+ (match-beginning 0) (or inside 1))))

(defun replace (old new)
  (to old 0)
  (delete-char (length old))
  (insert new))

(defun synchronise ()
  "Tell the server of all edits, as the client does when it is idle."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (bound-and-true-p eglot--managed-mode) (eglot--signal-textDocument/didChange)))))

(defun faults (buffer code)
  "Return the diagnostics that Flymake shows in BUFFER with this CODE."
  (with-current-buffer buffer
    (flymake-start)
    (seq-filter (lambda (one) (string-match-p (regexp-quote code) (flymake-diagnostic-text one)))
                (flymake-diagnostics))))

(defun shown-by (function)
  "Return the text that a documentation FUNCTION of eldoc shows at point."
  (let (found)
    (funcall function (lambda (text &rest _) (when (stringp text) (setq found text))))
    (wait (symbol-name function) (lambda () found))))

(defun completions ()
  "Return what could be completed at point."
  (pcase-let ((`(,start ,end ,table . ,_) (eglot-completion-at-point)))
    (all-completions (buffer-substring start end) table)))

(defun has (text &rest parts)
  (dolist (part parts)
    (unless (string-search part text) (error "No `%s' in: %s" part text))))

(condition-case reason
    (let* ((domain (open "domain.pddl")) (problem (open "p01.pddl")) (server (eglot--current-server-or-lose)))
      (switch-to-buffer domain)
      (replace "(road ?from ?to))" "(raod ?from ?to))")
      (synchronise)
      (let ((fault (car (wait "fault" (lambda () (faults domain "E0101"))))))
        (told "diagnostics")
        (let* ((actions (eglot-code-actions (flymake-diagnostic-beg fault) (flymake-diagnostic-end fault)))
               (meant (seq-find (lambda (one) (string-search "`road`" (plist-get one :title))) actions)))
          (unless meant (error "No action for `road': %S" actions))
          (eglot--apply-workspace-edit (plist-get meant :edit))))
      (has (buffer-string) "(road ?from ?to))")
      (wait "mended text" (lambda () (synchronise) (null (faults domain "E0101"))))
      (told "quick fix")

      (to "(road ?from ?to))")
      (forward-char)
      (has (shown-by 'eglot-hover-eldoc-function) "road" "static")
      (told "hover")
      (to ";")
      (unless (nth 4 (syntax-ppss (1+ (point)))) (error "No comment"))
      (told "comments")

      (switch-to-buffer problem)
      (to "road depot")
      (let* ((found (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
             (place (xref-item-location found)))
        (has (buffer-file-name (marker-buffer (xref-location-marker place))) "domain.pddl"))
      (told "definition")
      (let ((found (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))))
        (unless (> (length found) 3) (error "References: %S" found)))
      (told "references")

      (to "letter depot" 3)
      (unless (member "letter" (completions)) (error "Completions: %S" (completions)))
      (switch-to-buffer domain)
      (to "?from) (road" 2)
      (unless (equal (completions) '("?from")) (error "Completions: %S" (completions)))
      (to ":precondition" 4)
      (unless (member ":precondition" (completions)) (error "Completions: %S" (completions)))
      (told "completion")

      (switch-to-buffer problem)
      (to " letter town")
      (has (shown-by 'eglot-signature-eldoc-function) "?x")
      (told "signature help")

      (switch-to-buffer domain)
      (has (format "%S" (funcall imenu-create-index-function)) "drive" "unload")
      (told "symbols")

      (to "road ?from ?to - place")
      (eglot-rename "street")
      (has (with-current-buffer domain (buffer-string)) "(street ?from ?to - place)" "(street ?from ?to))")
      (has (with-current-buffer problem (buffer-string)) "(street depot town)")
      (told "rename")

      (synchronise)
      (switch-to-buffer problem)
      (replace "  (:domain" "        (:domain")
      (synchronise)
      (eglot-format-buffer)
      (has (buffer-string) "\n  (:domain delivery)")
      (told "formatting")

      (let* ((uri (eglot--path-to-uri (buffer-file-name problem)))
             (plan (jsonrpc-request server :workspace/executeCommand
                                    `(:command "herbrand.plan" :arguments [,uri])))
             (steps (plist-get plan :steps)))
        (unless (= (length steps) 4) (error "Plan: %S" steps)))
      (told "plan")

      (replace "(street depot town)" "")
      (synchronise)
      (wait "goal that cannot hold" (lambda () (faults problem "W0304")))
      (told "goals that cannot hold")

      (eglot-shutdown server)
      (told "end"))
  (error (message "%s" (error-message-string reason)) (kill-emacs 1)))
;;; emacs.el ends here

;;; emacs.el --- Makes Emacs use the server as a person would  -*- lexical-binding: t -*-

;; emacs --batch --load emacs.el
;; The current directory holds the project, $FSRB_SETUP the Lisp of the README that names the server.

;;; Code:

(defun wait-for (what condition)
  "Wait until CONDITION gives something, and give that; fail with WHAT."
  (let ((end (+ (float-time) 20)) (found nil))
    (while (not (or (setq found (funcall condition)) (> (float-time) end)))
      ;; In batch mode nobody is ever idle.
      (dolist (buffer (buffer-list))
        (with-current-buffer buffer
          (when (bound-and-true-p eglot--managed-mode)
            (eglot--signal-textDocument/didChange))))
      (accept-process-output nil 0.02))
    (or found (error "Waited in vain: %s" what))))

(defun same (what found wanted)
  "Fail with WHAT unless FOUND is WANTED."
  (unless (equal found wanted)
    (error "%s: found %S, wanted %S" what found wanted)))

(defun findings ()
  "The texts that are underlined in this buffer, in order."
  (flymake-start)
  (mapcar (lambda (found)
            (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found)))
          (sort (flymake-diagnostics)
                (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b))))))

(defun choose (title)
  "Do the code action at point whose title is TITLE."
  (cl-letf ((last-nonmenu-event ?x) ; a key, not the mouse
            ((symbol-function 'completing-read) (lambda (&rest _) title)))
    (eglot-code-actions (line-beginning-position) (line-end-position) nil t)))

(defun open-with-server (name)
  "Open the file NAME and wait until the server knows it."
  (find-file name)
  (eglot-ensure)
  (run-hooks 'post-command-hook)
  (wait-for "the server" #'eglot-current-server))

(defun main ()
  "Do everything."
  ;; Findings, on a line with characters of two and four bytes.
  (open-with-server "reply.md")
  (let ((reply (current-buffer)))
    (wait-for "findings" (lambda () (equal (findings) '("<<<<<<< SEARCH" ">>>>>>> REPLACE \u00fc\U0001f600!"))))

    ;; A quick fix.
    (goto-char (point-min))
    (search-forward ">>>>>>> REPLACE")
    (choose "write the marker exactly")
    (same "the fix" (buffer-substring (line-beginning-position) (line-end-position)) ">>>>>>> REPLACE")
    (wait-for "no findings" (lambda () (null (findings))))

    ;; A hover.
    (search-backward "value = 2")
    (let ((shown nil))
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
      (wait-for "a hover" (lambda () shown))
      (unless (and (string-match-p "Edit 1 of 1 can be applied" shown) (string-match-p "value = 2" shown))
        (error "Hover: %s" shown)))

    ;; To the lines that an edit changes.
    (search-backward "value = '")
    (let ((place (xref-item-location (car (xref-backend-definitions 'eglot "LSP identifier at point.")))))
      (with-current-buffer (marker-buffer (xref-location-marker place))
        (same "the jump's file" (file-name-nondirectory buffer-file-name) "a.py"))
      (same "the jump's line" (xref-location-line place) 2))

    ;; All edits, and back.
    (let* ((target (find-file-noselect "src/a.py"))
           (before (with-current-buffer target (buffer-enable-undo) (buffer-string))))
      (choose "Apply 1 edit to 1 file")
      (wait-for "the edits" (lambda () (not (equal before (with-current-buffer target (buffer-string))))))
      (with-current-buffer target
        (same "the target" (buffer-string) "# \u00fc\U0001f600\nvalue = 2\nlast = 3\n")
        (same "the target is not written" (buffer-modified-p) t)
        (undo-boundary) ; which the command loop would set
        (undo)
        (same "undo" (buffer-string) before))
      ;; Once more, for what follows.
      (set-buffer reply)
      (choose "Apply 1 edit to 1 file")
      (wait-for "the edits again" (lambda () (not (equal before (with-current-buffer target (buffer-string))))))))

  ;; Files with lines that end in every way, some open and some not.
  (find-file "end.txt")
  (open-with-server "all.diff")
  (choose "Apply 4 edits to 4 files")
  (wait-for "the last edit"
            (lambda ()
              (let ((last (find-buffer-visiting "cr.txt")))
                (and last (buffer-modified-p last)))))
  (save-some-buffers t)
  (princ "emacs: everything was as it should be\n"))

(setq make-backup-files nil
      create-lockfiles nil
      auto-save-default nil
      coding-system-for-write nil
      require-final-newline nil
      debug-on-error t
      eglot-confirm-server-initiated-edits nil
      eglot-sync-connect 20)
(prefer-coding-system 'utf-8)
(fset 'y-or-n-p #'always) ; whether files that no buffer visits may be edited
(require 'cl-lib)
(require 'flymake)
(require 'xref)
(load (getenv "FSRB_SETUP") nil t t)
(main)

;;; emacs.el ends here

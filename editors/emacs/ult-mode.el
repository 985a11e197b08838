;;; ult-mode.el --- Boogie programs and program graphs, checked by ult  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; Put this file into your `load-path' and add to your init file:
;;
;;   (require 'ult-mode)
;;   (add-hook 'ult-mode-hook #'eglot-ensure)
;;
;; Saving a file checks it.  `M-x ult-check' checks it in any case.  Invariants and values are shown
;; in the text by `eglot-inlay-hints-mode'.
;;
;; There are grammars for tree-sitter in editors/tree-sitter-boogie and editors/tree-sitter-ult, for
;; other packages: compiled to libtree-sitter-boogie.so and libtree-sitter-ult.so in the folder
;; tree-sitter of `user-emacs-directory', they are found by `treesit-parser-create'.  The mode here
;; has colours without them.

;;; Code:

(require 'eglot)

(defgroup ult nil
  "Boogie programs and program graphs."
  :group 'languages)

(defcustom ult-command '("ult" "lsp")
  "The language server and its options."
  :type '(repeat string))

(defconst ult-keywords
  '("type" "const" "function" "axiom" "var" "procedure" "implementation" "datatype" "unique"
    "extends" "complete" "uses" "returns" "where" "free" "requires" "ensures" "modifies"
    "invariant" "assert" "assume" "havoc" "call" "async" "par" "while" "break" "return" "goto"
    "yield" "atomic" "hide" "reveal" "push" "pop" "pure" "hideable" "revealed" "measure" "if" "then" "else"
    "old" "forall" "exists" "lambda" "div" "mod" "is" "graph" "init" "location" "error" "local"
    "let")
  "The words with a meaning of their own.")

(defvar ult-font-lock-keywords
  `((,(regexp-opt ult-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt '("true" "false") 'symbols) . font-lock-constant-face)
    (,(rx symbol-start (or "bool" "int" "real" (seq "bv" (+ digit))) symbol-end)
     . font-lock-type-face)
    (,(rx symbol-start (or "procedure" "implementation" "function" "graph") (+ space)
          (group (+ (or (syntax word) (syntax symbol)))))
     1 font-lock-function-name-face))
  "Colours of Boogie programs and program graphs.")

(defvar ult-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124" table)
    (modify-syntax-entry ?* ". 23bn" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (char '(?_ ?$ ?# ?. ?~ ?^ ??))
      (modify-syntax-entry char "_" table))
    table)
  "Comments nest: `/* /* */ */'.")

;;;###autoload
(define-derived-mode ult-mode prog-mode "Ult"
  "A mode for Boogie programs and program graphs."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(ult-font-lock-keywords)))

;;;###autoload
(define-derived-mode ult-graph-mode ult-mode "Ult graph"
  "A mode for program graphs.")

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.bpl\\'" . ult-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ult\\'" . ult-graph-mode))

(add-to-list 'eglot-server-programs
             `(((ult-mode :language-id "boogie") (ult-graph-mode :language-id "ult"))
               . ,(lambda (&rest _) ult-command)))

(defun ult-check ()
  "Check this file."
  (interactive)
  (let ((uri (plist-get (eglot--TextDocumentIdentifier) :uri)))
    (jsonrpc-async-request (eglot--current-server-or-lose) :workspace/executeCommand
                           `(:command "ult.check" :arguments ,(vector uri))
                           :success-fn (lambda (report)
                                         (message "ult: %s" (plist-get report :verdict)))
                           :error-fn (lambda (error)
                                       (message "ult: %s" (plist-get error :message)))
                           :timeout 3600)))

(provide 'ult-mode)
;;; ult-mode.el ends here

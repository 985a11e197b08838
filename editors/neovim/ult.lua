-- The language server of ult for Neovim 0.7 or newer. Put this file into ~/.config/nvim/plugin/.
--
-- Then :lua vim.lsp.buf.hover(), .definition(), .references(), .rename() and so on work as for every language server,
-- and opening or saving a file checks it (unless `command` below says otherwise). :UltCheck checks the file in any case. What was
-- found stands in the text: verdicts and `insert invariant` behind procedures and loops (:lua vim.lsp.codelens.run() does what it
-- says, or vim.lsp.buf.code_action()), and since 0.10 invariants and the values along a counterexample.
--
-- Colours: the server sends them (since 0.9). For those of tree-sitter, compile `src/parser.c` and `src/scanner.c` of
-- editors/tree-sitter-boogie to ~/.config/nvim/parser/boogie.so with
--   cc -shared -fPIC -O2 -Isrc src/parser.c src/scanner.c -o ~/.config/nvim/parser/boogie.so
-- put its `queries` into ~/.config/nvim/queries/boogie, and do the same with editors/tree-sitter-ult.

for pattern, filetype in pairs({ ["*.bpl"] = "boogie", ["*.ult"] = "ult" }) do
  vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
    pattern = pattern,
    callback = function()
      vim.bo.filetype = filetype
    end,
  })
end

-- What the server is called, and its options: `ult lsp --help` lists them, such as "--no-check-on-open".
local command = { "ult", "lsp" }
-- Add "c" to have C programs checked, too.
local languages = { "boogie", "ult" }

-- The server says when there are new verdicts. Up to 0.11, Neovim knows nothing of that for lenses, and 0.10 does not draw hints
-- anew that have come for lines where it has drawn some already.
local function of_buffers(act)
  return function(_, _, context)
    for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(context.client_id)) do
      if vim.api.nvim_buf_is_loaded(buffer) then
        act(buffer)
      end
    end
    return vim.NIL
  end
end

local handlers = {}
local capabilities = vim.lsp.protocol.make_client_capabilities()
if vim.lsp.codelens and not vim.lsp.codelens.enable then
  capabilities.workspace.codeLens = { refreshSupport = true }
  handlers["workspace/codeLens/refresh"] = of_buffers(function(buffer)
    vim.api.nvim_buf_call(buffer, function()
      vim.lsp.codelens.refresh({ bufnr = buffer })
    end)
  end)
end
if vim.lsp.inlay_hint then
  handlers["workspace/inlayHint/refresh"] = of_buffers(function(buffer)
    if vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then
      vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    end
  end)
end
if vim.fn.has("nvim-0.12") == 0 then
  -- Places beside a message are not shown: the server tells them in its text then, see vim.diagnostic.open_float().
  capabilities.textDocument.publishDiagnostics.relatedInformation = false
end

local function attach()
  local settings = {
    name = "ult",
    cmd = command,
    root_dir = vim.fn.getcwd(),
    capabilities = capabilities,
    handlers = handlers,
  }
  if vim.lsp.start then
    vim.lsp.start(settings)
  else -- before 0.8
    vim.g.ult_client = vim.g.ult_client or vim.lsp.start_client(settings)
    vim.lsp.buf_attach_client(0, vim.g.ult_client)
  end
  vim.bo.commentstring = "// %s"
  if vim.treesitter and vim.treesitter.start then
    -- Only if the parser is there.
    pcall(vim.treesitter.start)
  end
end

vim.api.nvim_create_autocmd("FileType", { pattern = languages, callback = attach })

-- Invariants and values in the text (since 0.10), and what stands above procedures.
if vim.fn.has("nvim-0.8") == 1 then
  vim.api.nvim_create_autocmd("LspAttach", {
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= "ult" then
        return
      end
      if vim.lsp.inlay_hint then
        vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
      end
      if vim.lsp.codelens and vim.lsp.codelens.enable then
        vim.lsp.codelens.enable(true, { bufnr = event.buf })
      elseif vim.lsp.codelens then
        vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave" }, {
          buffer = event.buf,
          callback = function()
            vim.lsp.codelens.refresh()
          end,
        })
      end
    end,
  })
end

vim.api.nvim_create_user_command("UltCheck", function()
  vim.lsp.buf.execute_command({ command = "ult.check", arguments = { vim.uri_from_bufnr(0) } })
end, { desc = "Check this file with ult" })

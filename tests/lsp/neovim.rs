//! A real editor with the settings in `editors/neovim`, where Neovim is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tools;

/// Opens a program with a mistake, mends it, saves it, and goes from a use to a definition. What it sees is written down.
const SESSION: &str = r#"
local seen = {}
local function note(what)
  table.insert(seen, what)
end
local function messages()
  local all = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(all, (d.lnum + 1) .. ": " .. d.message:match("[^\n]*"))
  end
  return table.concat(all, "; ")
end
local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    note("waited in vain for " .. what)
  end
end

note(vim.bo.filetype)
wait("a message", function() return messages() ~= "" end)
note(messages())
vim.api.nvim_buf_set_lines(0, 2, 3, true, { "  x := x + 2;" })
wait("no message", function() return messages() == "" end)
vim.cmd("write")
wait("a verdict", function() return messages() ~= "" end)
note(messages())
vim.api.nvim_win_set_cursor(0, { 4, 9 })
local params = vim.lsp.util.make_position_params()
local answers = vim.lsp.buf_request_sync(0, "textDocument/definition", params, 60000)
for _, answer in pairs(answers or {}) do
  note("defined in line " .. (answer.result[1].range.start.line + 1))
end
vim.fn.writefile(seen, vim.env.ULT_SEEN)
vim.cmd("qall!")
"#;

#[test]
fn neovim_shows_messages_and_verdicts() {
    if !tools::has("nvim") {
        tools::missing("nvim", "the language server in Neovim");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text = "procedure p(n: int) {\n  var x: int;\n  x := y;\n  assert x != 7;\n}\n";
    fs::write(path("a.bpl"), text).unwrap();
    fs::write(path("session.lua"), SESSION).unwrap();
    let settings = crate::root().join("editors/neovim/ult.lua");
    let ult = Path::new(env!("CARGO_BIN_EXE_ult")).parent().unwrap();
    let mut folders = vec![ult.to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let output = Command::new("nvim")
        .args(["--headless", "-n", "-i", "NONE", "-u"])
        .arg(settings)
        .arg("a.bpl")
        .args(["-c", "luafile session.lua"])
        .current_dir(folder.path())
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .env("ULT_SEEN", path("seen"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let seen = fs::read_to_string(path("seen"));
    let seen = seen.unwrap_or_else(|_| String::from_utf8_lossy(&output.stderr).into_owned());
    assert_eq!(
        seen.lines().collect::<Vec<_>>(),
        [
            "boogie",
            "3: there is no variable or constant `y`",
            "4: assertion violated",
            "defined in line 2",
        ]
    );
}

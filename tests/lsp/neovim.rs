//! A real editor with the settings in `editors/neovim`, where Neovim is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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

/// A terminal in which the editor runs, with the settings as they are. Its screen is read, and keys are typed, as a person would.
/// (What plays the terminal is another Neovim; the one inside does not know.) Each screen on which all that is waited for can be seen
/// is written down, behind a line that says what it is.
const TERMINAL: &str = r#"
vim.o.columns, vim.o.lines = 160, 30
local seen = {}
local buffer = vim.api.nvim_create_buf(false, true)
vim.api.nvim_set_current_buf(buffer)
local job = vim.fn.termopen({ "nvim", "-n", "-i", "NONE", "-u", vim.env.ULT_SETTINGS, "a.bpl" })
local function screen()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end
local function keys(text)
  vim.fn.chansend(job, vim.api.nvim_replace_termcodes(text, true, true, true))
end
local function see(what, shown, hidden)
  local found = vim.wait(60000, function()
    local now = screen()
    local function has(text)
      return now:find(text, 1, true) ~= nil
    end
    return #vim.tbl_filter(has, shown) == #shown and #vim.tbl_filter(has, hidden or {}) == 0
  end, 20)
  table.insert(seen, "=== " .. (found and what or "waited in vain: " .. what) .. "\n" .. screen())
  return found
end
local function all(value)
  return { "SAFE, 1 obligation proved", "UNSAFE, 1 of 1", "insert invariant", "(i < n) { invariant ", value }
end

local function session()
  if not see("opened", all("y = 9")) then return end
  keys(":13s/9/10/<CR>")
  if not see("changed", { "assert y != 10" }, { "SAFE", "invariant ", "y = 9" }) then return end
  keys(":w<CR>")
  if not see("saved", all("y = 10"), { "checking" }) then return end
  keys(":w<CR>")
  if not see("saved again", all("y = 10"), { "checking" }) then return end
  keys("6G:lua vim.lsp.buf.code_action({ apply = true })<CR>")
  if not see("fixed", { "    invariant " }, { "insert invariant" }) then return end
  keys(":w<CR>")
  see("proved", { "obligations proved", "UNSAFE, 1 of 1" }, { "insert invariant", "checking" })
end
session()
vim.fn.writefile(vim.split(table.concat(seen, "\n"), "\n"), vim.env.ULT_SEEN)
vim.fn.jobstop(job)
vim.cmd("qall!")
"#;

/// A Neovim in a folder, in which `ult` is the one under test.
fn neovim(folder: &Path, args: &[&str]) -> Output {
    let ult = Path::new(env!("CARGO_BIN_EXE_ult")).parent().unwrap();
    let mut folders = vec![ult.to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    Command::new("nvim")
        .args(["--headless", "-n", "-i", "NONE"])
        .args(args)
        .current_dir(folder)
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .env("TERM", "xterm-256color")
        .env("ULT_SETTINGS", settings())
        .env("ULT_SEEN", folder.join("seen"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn settings() -> PathBuf {
    crate::root().join("editors/neovim/ult.lua")
}

/// What a session wrote down; if it did not get to it, what the editor complained about.
fn seen(folder: &Path, output: &Output) -> String {
    let seen = fs::read_to_string(folder.join("seen"));
    seen.unwrap_or_else(|_| String::from_utf8_lossy(&output.stderr).into_owned())
}

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
    let settings = settings();
    let settings = settings.to_str().unwrap();
    let args = ["-u", settings, "a.bpl", "-c", "luafile session.lua"];
    let output = neovim(folder.path(), &args);
    assert_eq!(
        seen(folder.path(), &output).lines().collect::<Vec<_>>(),
        [
            "boogie",
            "3: there is no variable or constant `y`",
            "4: assertion violated",
            "defined in line 2",
        ]
    );
}

const PROGRAM: &str = "\
procedure count(n: int) returns (i: int)
  requires n >= 0;
  ensures i == n;
{
  i := 0;
  while (i < n) {
    i := i + 1;
  }
}
procedure wrong(x: int) {
  var y: int;
  y := x + 2;
  assert y != 9;
}
";

/// Verdicts, hints and the way to insert an invariant are on the screen when a file was opened or saved, without further keys.
#[test]
fn all_that_was_found_is_on_the_screen_after_saving() {
    let version = Command::new("nvim").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let minor = version.ok().and_then(|text| {
        let rest = text.strip_prefix("NVIM v0.")?.split('.').next()?;
        rest.parse::<u32>().ok()
    });
    if minor.is_none_or(|minor| minor < 10) {
        tools::missing("nvim-0.10", "hints and lenses on the screen of Neovim");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.bpl"), PROGRAM).unwrap();
    fs::write(path("terminal.lua"), TERMINAL).unwrap();
    let args = ["-u", "NONE", "-c", "luafile terminal.lua"];
    let output = neovim(folder.path(), &args);
    let seen = seen(folder.path(), &output);
    let names = seen.lines().filter_map(|line| line.strip_prefix("=== "));
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "opened",
            "changed",
            "saved",
            "saved again",
            "fixed",
            "proved"
        ],
        "{seen}"
    );
    // Everything stands where it belongs.
    let mut screens = seen.split("=== ");
    let saved = screens.find(|screen| screen.starts_with("saved\n"));
    for (start, shown) in [
        ("procedure count", "check | SAFE, 1 obligation proved"),
        ("while (i < n) {", "(i < n) { invariant "),
        ("while (i < n) {", "insert invariant"),
        ("procedure wrong", "UNSAFE, 1 of 1"),
        ("y := x + 2;", "y = 10"),
        // It shows no places beside a message.
        ("assert y != 10;", "line 12: y := x + 2;  --  y = 10"),
    ] {
        let mut lines = saved.unwrap().lines();
        let line = lines.find(|line| line.contains(start));
        assert!(
            line.is_some_and(|line| line.contains(shown)),
            "{shown}\n{seen}"
        );
    }
    let text = fs::read_to_string(path("a.bpl")).unwrap();
    assert!(text.contains("  while (i < n)\n    invariant "), "{text}");
}

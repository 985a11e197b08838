//! Sessions with `ult lsp` over the real protocol.

mod check;
mod client;
mod fixes;
mod keep;
mod neovim;
mod projects;
mod results;
mod text;

//! The program `ult` as its users run it, and the documents they read. One test binary, so that there is one to link;
//! `cargo test -p ult-cli --test program book::` runs the tests of one module.

#![allow(unreachable_pub, reason = "modules are shared with benches")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

mod architecture;
mod book;
mod budgets;
mod c;
mod certificates;
mod circles;
mod cli;
mod confirm;
mod first;
mod forgery;
mod grade;
mod html;
mod lab;
mod library;
mod listings;
mod lsp;
mod proof_cache;
mod readme;
mod root;
mod schema;
mod session;
mod setup;
mod tools;

use root::root;

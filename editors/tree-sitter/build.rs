//! Compiles the parsers that tree-sitter generated.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["boogie", "ult"] {
        let folder = Path::new("..")
            .join(format!("tree-sitter-{name}"))
            .join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        cc::Build::new()
            .std("c11")
            .include(&folder)
            .files([folder.join("parser.c"), folder.join("scanner.c")])
            // Nobody writes the parser by hand.
            .warnings(false)
            .compile(&format!("tree-sitter-{name}"));
    }
}

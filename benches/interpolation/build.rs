//! A run path to the Z3 that `ult` is linked against, for runs without cargo.

fn main() {
    let dir = std::env::var("DEP_ULT_Z3_DIR").expect("set by the build script of ult");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{dir}");
}

//! Lets a program that brings its Z3 along (`ULT_Z3_LINK=soname`) look for it beside the folder that it is in. Only the
//! package of a program can give it a run path.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ULT_Z3_LINK");
    if std::env::var("ULT_Z3_LINK").is_ok_and(|link| link == "soname") {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../lib/ult");
    }
}

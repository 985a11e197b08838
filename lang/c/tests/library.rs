//! The library that is written in C does what this system's does: `library.c` compares them where a C compiler is there.

use std::fs;
use std::process::{Command, Stdio};

use ult_c::library::{FILES, functions};

/// What this system's library has no answer to compare with: it is random, comes from outside, ends the program, or the
/// system does not have it.
const NOT_COMPARED: &[&str] = &[
    "__VERIFIER_nondet_memory",
    "__errno_location",
    "aligned_alloc",
    "atexit",
    "atof",
    "bcopy",
    "bzero",
    "clearerr",
    "clock",
    "difftime",
    "exit",
    "feof",
    "ferror",
    "fgetc",
    "fgets",
    "fgetwc",
    "fgetws",
    "fread",
    "freopen",
    "fseek",
    "fwrite",
    "getc",
    "getchar",
    "getpid",
    "getwc",
    "getwchar",
    "gets",
    "memalign",
    "posix_memalign",
    "rand",
    "random",
    "read",
    "rewind",
    "setbuf",
    "setvbuf",
    "srand",
    "srandom",
    "strerror",
    "strtod",
    "strtof",
    "time",
    "ungetc",
    "write",
];

#[test]
fn it_agrees_with_the_library_of_the_system() {
    let found = Command::new("cc")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("there is no C compiler");
        return;
    }
    let driver = include_str!("library.c");
    let names: Vec<&str> = functions().collect();
    assert!(names.len() > 80, "{names:?}");
    let bare = |name: &str| name.trim_start_matches("__builtin_").to_owned();
    let mut library = String::new();
    for name in &names {
        library += &format!("#define {name} ult_{}\n", bare(name));
    }
    library += "div_t div(int, int);\nldiv_t ldiv(long, long);\nlldiv_t lldiv(long long, long long);\ntime_t time(time_t *);\nclock_t clock(void);\n";
    for (_, text) in FILES {
        library += text;
    }
    let mut wrong = Vec::new();
    for name in &names {
        let call = format!("ult_{}(", bare(name));
        let compared = driver.contains(&call) || driver.contains(&format!("KIND({name})"));
        if compared == NOT_COMPARED.contains(name) {
            wrong.push(*name);
        }
    }
    assert_eq!(
        wrong, [""; 0],
        "compared though it is not to be, or not compared"
    );
    for name in &names {
        library += &format!("#undef {name}\n");
    }
    let folder = std::env::temp_dir().join(format!("ult-library-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for element in ["unsigned char", "int", "long long"] {
        let library = library.replace(
            "typedef unsigned char __ult_element;",
            &format!("typedef {element} __ult_element;"),
        );
        let text = driver.replace("/* LIBRARY */", &library);
        assert!(text.len() > driver.len() + 1000);
        let text = format!("#define ELEMENT {element}\n{text}");
        let (file, program) = (folder.join("library.c"), folder.join("library"));
        fs::write(&file, text).unwrap();
        // What is not initialised or overlaps would be found, too.
        let compiled = Command::new("cc")
            .args(["-std=gnu11", "-O1", "-w", "-fno-builtin", "-o"])
            .args([&program, &file])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{said}");
        let output = Command::new(&program).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{element}: {said}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

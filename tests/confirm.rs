//! Violations of C programs, compiled and run: `ult check --confirm`.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::session::Session;

/// Whether there is a compiler; without one, most tests have nothing to test, and say so.
fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        crate::tools::missing("cc", "the compiled program as a second opinion");
    }
    found
}

/// A folder with a program.
fn session(text: &str) -> Session {
    Session::new(&[("f.c", text)])
}

/// What is found about the program: about its assertions, where no property is asked for.
fn report(session: &Session, args: &[&str]) -> Value {
    let asked: &[&str] = match args.contains(&"--property") {
        true => &[],
        false => &["--property", "unreach-call", "--property", "assertions"],
    };
    session.json(&[&["check", "f.c", "--timeout", "60"], asked, args].concat())
}

/// What is said about the first violation, or about what would be one.
fn told(report: &Value) -> &Value {
    let units = report["units"].as_array().unwrap();
    let mut all = units
        .iter()
        .flat_map(|unit| unit["obligations"].as_array().unwrap());
    let found = all.find(|obligation| !obligation["confirmation"].is_null());
    &found.unwrap_or_else(|| panic!("nothing was tried: {report:#}"))["confirmation"]
}

/// The verdict, what became of the run, and everything that is said about that.
fn outcome(text: &str, args: &[&str]) -> (String, String, String) {
    let report = report(&session(text), args);
    let told = told(&report);
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (
        words(&report["verdict"]),
        words(&told["outcome"]),
        format!("{} {}", told["text"], told["reasons"]),
    )
}

fn confirmed(text: &str, args: &[&str]) {
    let (verdict, outcome, words) = outcome(text, args);
    assert_eq!(
        (&*verdict, &*outcome),
        ("UNSAFE", "confirmed"),
        "{text}\n{words}"
    );
}

/// It stays UNSAFE, is not confirmed, and the reason is said; with `always`, it is UNKNOWN.
fn missed(text: &str, args: &[&str], why: &str) {
    let (verdict, outcome, words) = self::outcome(text, args);
    assert_eq!(
        (&*verdict, &*outcome),
        ("UNSAFE", "not-confirmed"),
        "{text}\n{words}"
    );
    assert!(words.contains(why), "{text}\n{words}");
    let report = report(&session(text), &[args, &["--confirm", "always"]].concat());
    assert_eq!(report["verdict"], "UNKNOWN");
    assert_eq!(report["reason"]["code"], "not-confirmed", "{report:#}");
}

const INPUTS: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  int y = __VERIFIER_nondet_int();
  assert(!(x == -7 && c == 200 && y == x + 1));
  return 0;
}
";

#[test]
fn all_kinds_of_violations_are_confirmed() {
    if !has_compiler() {
        return;
    }
    confirmed(INPUTS, &[]);
    confirmed(INPUTS, &["--int-encoding", "bits", "--confirm", "always"]);
    confirmed(
        "int main(void) { int x = 3;\n/*@ assert x == 3 ==> x == 4; */\nreturn 0; }\n",
        &[],
    );
    confirmed(
        "int main(void) { int x = 3;\n//@ assert x == 4;\nreturn 0; }\n",
        &[],
    );
    confirmed(
        "extern void reach_error(void);\nint main(void) { if (1) reach_error(); else return 1; }\n",
        &[],
    );
    confirmed(
        "void reach_error(void) { }\nint main(void) { reach_error(); return 0; }\n",
        &[],
    );
    confirmed(
        "int main(void) { int x = 1; if (x) goto ERROR; return 0;\nERROR: x++; return 1; }\n",
        &["--property", "unreach-label"],
    );
    for (property, text) in [
        (
            "no-overflow",
            "int main(void) { int x = 2147483647;\nx++; return 0; }\n",
        ),
        (
            "division-by-zero",
            "int main(void) { int x = 0;\nreturn 1 / x; }\n",
        ),
        (
            "shift-range",
            "int main(void) { int x = 40;\nreturn 1 << x; }\n",
        ),
        (
            "valid-deref",
            "int main(void) { int a[3] = {0}; int i = 3;\nreturn a[i]; }\n",
        ),
        (
            "valid-deref",
            "int get(int *p) { return *p; }\nint main(void) { return get(0); }\n",
        ),
        (
            "valid-deref",
            "#include <string.h>\nint main(void) { char s[2];\nstrcpy(s, \"abc\"); return 0; }\n",
        ),
        (
            "valid-free",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p);\nfree(p); return 0; }\n",
        ),
        (
            "valid-memtrack",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); p = 0; return 0; }\n",
        ),
        (
            "valid-memcleanup",
            "#include <stdlib.h>\nint *p;\nint main(void) { p = malloc(4); if (p) abort(); return 0; }\n",
        ),
    ] {
        confirmed(text, &["--property", property]);
    }
}

#[test]
fn what_happens_behind_the_violation_does_not_matter() {
    if !has_compiler() {
        return;
    }
    let start = Instant::now();
    // Loops for ever.
    confirmed(
        "#include <assert.h>\nint main(void) { int x = 1; assert(x == 0); for (;;) x = 1; }\n",
        &[],
    );
    confirmed(
        "int main(void) { int x = 2147483647;\nx++;\nfor (;;) x = 1; }\n",
        &["--property", "no-overflow"],
    );
    // Prints a lot, to both streams, before it gets there.
    confirmed(
        "#include <assert.h>\n#include <stdio.h>\nint main(void) { unsigned i = 0;
  while (i < 3) { for (int k = 0; k < 3; k++) { printf(\"%0200000d\\n\", 1); fprintf(stderr, \"%0200000d\\n\", 1); } i++; }
  assert(i != 3); return 0; }\n",
        &[],
    );
    assert!(start.elapsed() < Duration::from_secs(120));
}

#[test]
#[ignore = "takes long"]
fn an_endless_program_is_ended() {
    if !has_compiler() {
        return;
    }
    let spin = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {
  unsigned char c; int n = __VERIFIER_nondet_int(); while (c != 7) n = 0; assert(n != 5); return 0; }\n";
    missed(spin, &[], "still runs after");
}

#[test]
fn it_is_said_why_a_run_is_not_confirmed() {
    if !has_compiler() {
        return;
    }
    missed(
        "#include <assert.h>\nint main(void) { int x; assert(x != 77); return 0; }\n",
        &[],
        "`x` is read although it was never set",
    );
    missed(
        "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 5); return 0; }\n",
        &[],
        "`main` has parameters",
    );
    // Arguments may be evaluated in any order, and compilers like the last one first.
    let order = "#include <assert.h>\nint g;\nint f(void) { g = 2; return 1; }\nint h(void) { g = 3; return 1; }
int sum(int x, int y) { return x + y; }
int main(void) { int s = sum(f(), h()); assert(g != 3); return s; }\n";
    let (verdict, outcome, words) = self::outcome(order, &[]);
    assert_eq!(verdict, "UNSAFE", "{words}");
    assert!(
        outcome == "confirmed" || words.contains("which of several calls"),
        "{words}"
    );
    missed(
        "#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(rand() != 77); return 0; }\n",
        &[],
        "rand",
    );
    missed(
        "#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(malloc(4) != 0); return 0; }\n",
        &["--malloc-may-fail"],
        "allocations do not fail",
    );
}

#[test]
fn standard_input_is_empty() {
    if !has_compiler() {
        return;
    }
    // It waits for nobody.
    confirmed(
        "#include <assert.h>\n#include <stdio.h>\nint main(void) { int c = getchar(); assert(0); return c; }\n",
        &[],
    );
}

#[test]
fn what_contradicts_the_run_is_unknown() {
    if !has_compiler() {
        return;
    }
    // A compiler that takes one variable for another.
    let text = "#include <assert.h>\nint a = 1;\nint main(void) { int b = 2; assert(a != 1); return b; }\n";
    confirmed(text, &[]);
    for mode in ["auto", "always"] {
        let report = report(&session(text), &["--cc", "cc -Da=b", "--confirm", mode]);
        assert_eq!(report["verdict"], "UNKNOWN");
        assert_eq!(report["reason"]["code"], "translation");
        assert_eq!(told(&report)["outcome"], "contradicted");
    }
    let session = session(text);
    let output = session.run(&["check", "f.c", "--cc", "cc -Da=b"]);
    let words = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(
        words.contains("contradicted: the compiled program does not"),
        "{words}"
    );
    assert!(words.contains("VIOLATED"), "{words}");
    assert!(
        words.contains("ult: UNKNOWN(translation) f.c:3:"),
        "{words}"
    );
    // Nobody is asked.
    let output = session.run(&["check", "f.c", "--cc", "cc -Da=b", "--confirm", "never"]);
    assert_eq!(output.status.code(), Some(1));
}

/// What is compiled is the user's file, so that a mistake before the parser is not confirmed by itself.
#[test]
fn the_users_file_is_compiled() {
    if !has_compiler() {
        return;
    }
    let text = "#include <assert.h>\n#include <limits.h>\n#ifndef WIDTH\n#define WIDTH 4\n#endif\n\
                #define CHECK(e) do { assert(e); } while (0)\n\
                int main(void) { int w = WIDTH; CHECK(w == 4 && CHAR_BIT == 8); return w; }\n";
    let session = session(text);
    let script = session.path().join("cpp.sh");
    fs::write(&script, "#!/bin/sh\nexec cc -E -DWIDTH=3 \"$@\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    // The preprocessor does what the compiler knows nothing of.
    let wrong = report(&session, &["--cpp", "./cpp.sh"]);
    assert_eq!(wrong["verdict"], "UNKNOWN", "{wrong:#}");
    assert_eq!(told(&wrong)["outcome"], "contradicted");
    // The user has told both.
    let right = report(&session, &["--cpp", "cc -E -DWIDTH=3"]);
    assert_eq!(told(&right)["outcome"], "confirmed", "{right:#}");
    // The compiler does not know the header that the preprocessor finds.
    let folder = session.path().join("include");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("width.h"), "#define WIDTH 3\n").unwrap();
    fs::write(&script, "#!/bin/sh\nexec cc -E -I include \"$@\"\n").unwrap();
    fs::write(
        session.path().join("f.c"),
        format!("#include <width.h>\n{text}"),
    )
    .unwrap();
    let alone = report(&session, &["--cpp", "./cpp.sh"]);
    assert_eq!(alone["verdict"], "UNSAFE", "{alone:#}");
    assert_eq!(told(&alone)["outcome"], "not-tried");
    let words = told(&alone)["text"].as_str().unwrap_or_default();
    assert!(words.contains("by itself is not compiled"), "{words}");
}

#[test]
fn programs_that_could_do_harm_are_not_run() {
    if !has_compiler() {
        return;
    }
    let not_run = |body: &str, head: &str, why: &str| {
        let text = format!(
            "#include <assert.h>\n{head}\nint main(void) {{ {body} assert(0); return 0; }}\n"
        );
        let (verdict, outcome, words) = outcome(&text, &[]);
        assert_eq!(
            (&*verdict, &*outcome),
            ("UNSAFE", "not-tried"),
            "{text}\n{words}"
        );
        assert!(words.contains(why), "{words}");
    };
    not_run("remove(\"f.c\");", "#include <stdio.h>", "`remove`");
    // By another name, and without a call.
    not_run(
        "",
        "extern int harmless(const char *) __asm__(\"remove\"); int (*p)(const char *) = harmless;",
        "`remove`",
    );
    not_run("", "void f(void) { __asm__(\"nop\"); }", "assembler");
    // Somebody wants it.
    let text = "#include <assert.h>\n#include <stdio.h>\nint main(void) { remove(\"f.c\"); assert(0); return 0; }\n";
    let session = session(text);
    let report = report(&session, &["--confirm", "always"]);
    assert_eq!(told(&report)["outcome"], "confirmed", "{report:#}");
    assert!(session.path().join("f.c").exists(), "it ran elsewhere");
}

/// A violation that is found at once is tried although something else stays open until the time is over.
#[test]
fn there_is_time_left_for_a_violation() {
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  //@ assert n != 7;
  unsigned x = 1, y = 1;
  while (x < n) { x = x * 3 + y; y = y * y + x; }
  //@ assert y % 7 != 3;
  return 0;
}
";
    let session = session(text);
    let report = session.json(&["check", "f.c", "--timeout", "10"]);
    assert_eq!(report["verdict"], "UNSAFE", "{report:#}");
    let outcome = &told(&report)["outcome"];
    // On a machine that is busy it is too late for the compiler.
    let expected = match has_compiler() {
        true => ["confirmed", "not-tried"],
        false => ["not-tried"; 2],
    };
    assert!(expected.iter().any(|one| outcome == one), "{report:#}");
}

#[test]
fn without_a_compiler_it_is_said() {
    let session = session("int main(void) { int x = 0;\n//@ assert x == 1;\nreturn 0; }\n");
    let missing = report(&session, &["--cc", "no-such-compiler"]);
    assert_eq!(missing["verdict"], "UNSAFE");
    assert_eq!(told(&missing)["outcome"], "not-tried");
    assert!(
        told(&missing)["text"]
            .as_str()
            .unwrap()
            .contains("`no-such-compiler` is not found")
    );
    let wanted = report(
        &session,
        &["--cc", "no-such-compiler", "--confirm", "always"],
    );
    assert_eq!(wanted["reason"]["code"], "not-confirmed");
    let never = report(&session, &["--confirm", "never"]);
    assert!(
        never["units"][0]["obligations"][0]["confirmation"].is_null(),
        "{never:#}"
    );
}

#[test]
fn compilers_that_can_do_less_are_used_as_they_are() {
    if !has_compiler() {
        return;
    }
    let session = session(INPUTS);
    let compiler = session.path().join("cc.sh");
    let script = |refused: &str| {
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in {refused}) echo 'error: cannot do this' >&2; exit 1;; esac\nexec cc \"$@\"\n"
        );
        fs::write(&compiler, text).unwrap();
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    };
    // No 32-bit library.
    script("*-m32*");
    let report32 = report(&session, &["--data-model", "ilp32", "--cc", "./cc.sh"]);
    assert_eq!(report32["verdict"], "UNSAFE");
    assert_eq!(told(&report32)["outcome"], "not-tried");
    assert!(
        told(&report32)["text"]
            .as_str()
            .unwrap()
            .contains("cannot do this"),
        "{report32:#}"
    );
    // No sanitizers, no way to choose what is in variables at first.
    script("*-fsanitize=*|*-ftrivial*");
    assert_eq!(
        told(&report(&session, &["--cc", "./cc.sh"]))["outcome"],
        "confirmed"
    );
    // One that ignores the option for 32 bits makes programs for another data model.
    fs::write(&compiler, "#!/bin/bash\nexec cc \"${@/-m32/-m64}\"\n").unwrap();
    let other = report(&session, &["--data-model", "ilp32", "--cc", "./cc.sh"]);
    assert_eq!(told(&other)["outcome"], "not-tried");
    assert!(
        told(&other)["text"]
            .as_str()
            .unwrap()
            .contains("data model"),
        "{other:#}"
    );
}

#[test]
fn the_page_says_it_too() {
    if !has_compiler() {
        return;
    }
    let session = session(INPUTS);
    session.run(&["check", "f.c", "--html", "page.html"]);
    let page = fs::read_to_string(session.path().join("page.html")).unwrap();
    assert!(page.contains("confirmed: the compiled program reaches the violation"));
}

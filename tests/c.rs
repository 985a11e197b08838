//! C programs on the command line: from the preprocessor to the report.

#![cfg(unix)]

mod witnesses;

use std::fs;
use std::process::{Command, Stdio};

use crate::session::Session;

/// The last line of `ult check` on one file, and the exit code.
fn verdict(text: &str, args: &[&str]) -> String {
    let session = Session::new(&[("f.c", text)]);
    let (code, told) = session.told(&[&["check", "f.c", "--timeout", "60"], args].concat());
    format!("{code} {}", told.lines().last().unwrap_or_default())
}

const SUM: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int s = 0;
  if (n < 0 || n > 100) return 0;
  for (int i = 0; i < n; i++)
    s += 2;
  assert(s == 2 * n);
  return 0;
}
";

#[test]
fn a_program_is_proved_or_refuted() {
    let session = Session::new(&[
        ("sum.c", SUM),
        ("wrong.c", &SUM.replace("s == 2 * n", "s != 2 * n")),
    ]);
    let (code, told) = session.told(&["check", "sum.c"]);
    assert_eq!(code, 0, "{told}");
    assert!(
        told.contains("1 assertion proved, and 8 conditions"),
        "{told}"
    );
    let report = session.json(&["check", "--property", "assertions", "wrong.c"]);
    assert_eq!(report["verdict"], "UNSAFE");
    let obligations = report["units"][0]["obligations"].as_array().unwrap();
    let violated = obligations.iter().find(|o| o["verdict"] == "UNSAFE");
    assert_eq!(violated.unwrap()["place"]["line"], 10);
    assert!(!report["assumptions"].as_array().unwrap().is_empty());
}

/// A message shows the lines of the file, and not what the preprocessor made of them.
#[test]
fn messages_show_the_file_as_it_was_written() {
    let text = "#include <assert.h>
int main(void) { assert(1); int x = next(1); assert(x > 0); return 0; }
";
    let session = Session::new(&[("f.c", text)]);
    let (_, told) = session.told(&["check", "f.c", "--confirm", "never"]);
    let message = told.split("\n\n").next().unwrap_or_default();
    insta::assert_snapshot!(message);
    let report = session.json(&["check", "f.c", "--confirm", "never"]);
    let message = &report["diagnostics"][0];
    let place = [&message["line"], &message["column"]];
    assert_eq!(place, [2, 37], "{report:#}");
}

#[test]
fn a_translation_says_the_same_as_the_program() {
    let session = Session::new(&[("sum.c", SUM)]);
    let (code, told) = session.told(&["translate", "sum.c", "-o", "sum.bpl"]);
    assert_eq!((code, told.as_str()), (0, ""));
    let (code, told) = session.told(&["check", "sum.bpl"]);
    assert_eq!(code, 0, "{told}");
    let (code, printed) = session.told(&["translate", "sum.c"]);
    assert_eq!(code, 0);
    assert_eq!(
        printed,
        fs::read_to_string(session.path().join("sum.bpl")).unwrap()
    );
    for command in ["graph", "export"] {
        let (code, told) = session.told(&[command, "sum.c"]);
        assert_eq!(code, 0, "{told}");
    }
}

#[test]
fn the_data_model_decides_about_sizes() {
    let text =
        "#include <assert.h>\n#include <stdint.h>\nint main(void) { assert(sizeof(long) == 4); \
                assert(sizeof(size_t) == sizeof(void *)); assert(sizeof(int64_t) == 8); }\n"
            .replace("<stdint.h>", "<stdint.h>\n#include <stddef.h>");
    // They are constants: nothing is left to be proved.
    assert!(verdict(&text, &["--data-model", "ilp32"]).starts_with("0 ult: SAFE"));
    assert!(verdict(&text, &[]).starts_with("1 ult: UNSAFE f.c:4:"));
}

#[test]
fn headers_can_be_included_together_and_twice() {
    let folder = crate::root().join("stdlib/include");
    let headers = |inner: &str| -> Vec<String> {
        fs::read_dir(folder.join(inner))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".h"))
            .map(|name| format!("{inner}{name}"))
            .collect()
    };
    let mut names = [headers(""), headers("sys/")].concat();
    names.sort();
    assert!(names.len() > 40);
    let includes: String = names
        .iter()
        .chain(&names)
        .map(|name| format!("#include <{name}>\n"))
        .collect();
    let text = format!(
        "{includes}int main(void) {{ assert(LONG_MAX == (long)(ULONG_MAX / 2) and SIZE_MAX == (size_t)-1); }}\n"
    );
    for model in ["ilp32", "lp64"] {
        let verdict = verdict(&text, &["--data-model", model]);
        assert!(verdict.starts_with("0 ult: SAFE"), "{verdict}");
    }
}

#[test]
fn mistakes_are_told_where_they_stand() {
    let session = Session::new(&[
        (
            "f.c",
            "#include \"own.h\"\n#define TWICE(x) ((x) + (x))\n\nint f(int x) {\n  return TWICE(x)\n}\nint g(void) { return 1; }\n",
        ),
        ("own.h", "int good(void);\n\nint bad(;\n"),
    ]);
    let report = session.json(&["check", "f.c"]);
    assert_eq!(report["verdict"], "REJECTED");
    let places: Vec<_> = report["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| {
            (
                d["id"].as_str().unwrap(),
                d["file"].as_str(),
                d["line"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        places,
        [("E0601", Some("own.h"), 3), ("E0601", None, 6)],
        "{report:#}"
    );
    let (code, told) = session.told(&["check", "f.c"]);
    assert_eq!(code, 3);
    assert!(
        told.contains("[own.h:3:9]") && told.contains("[f.c:6:1]"),
        "{told}"
    );
    assert!(
        told.ends_with("ult: REJECTED own.h:3:9: 2 errors\n"),
        "{told}"
    );
}

#[test]
fn what_the_preprocessor_cannot_do_is_told() {
    let session = Session::new(&[
        ("f.c", "int x;\n#include <nowhere.h>\n"),
        ("f.i", "int x;\n#define A\n"),
    ]);
    let (code, told) = session.told(&["check", "f.c"]);
    assert_eq!(code, 3);
    assert!(
        told.contains("E0602") && told.contains("[f.c:2:1]"),
        "{told}"
    );
    assert!(told.contains("stdlib.h"), "{told}");
    let (code, told) = session.told(&["check", "f.c", "--cpp", "no-such-preprocessor"]);
    assert_eq!(code, 3);
    assert!(
        told.contains("`no-such-preprocessor` is not found"),
        "{told}"
    );
    let (code, told) = session.told(&["check", "f.i"]);
    assert_eq!(code, 3);
    assert!(told.contains("`#define`"), "{told}");
}

#[test]
fn properties_are_names_or_files() {
    let text = "int main(void) { int x = 0; ERROR: return 1 / x; }\n";
    let session = Session::new(&[
        ("f.c", text),
        (
            "label.prp",
            "CHECK( init(main()), LTL(G ! label(ERROR)) )\n",
        ),
        ("odd.prp", "CHECK( init(main()), LTL(F end) )\n"),
    ]);
    let code = |property: &str| session.told(&["check", "f.c", "--property", property]).0;
    for (property, expected) in [
        ("unreach-label", 1),
        ("unreach-label:ERROR", 1),
        ("unreach-label:OTHER", 0),
        ("label.prp", 1),
        ("unreach-call", 0),
        ("division-by-zero", 1),
        ("odd.prp", 2),
        ("no.prp", 2),
        ("termination", 2),
    ] {
        assert_eq!(code(property), expected, "{property}");
    }
}

#[test]
fn a_proof_that_is_about_no_trace_has_a_warning() {
    let program = |last: &str| {
        format!(
            "#include <assert.h>\nstatic void set(int *p) {{ *p = 1; }}\n\
             int main(void) {{\n  int x = 0;\n  set({last});\n  assert(x == 1);\n}}\n"
        )
    };
    let (stuck, fine) = (program("0"), program("&x"));
    let session = Session::new(&[("stuck.c", &stuck), ("fine.c", &fine)]);
    let printed = |file: &str| session.story(&["check", "--property", "assertions", file]);
    let told = printed("stuck.c");
    assert!(told.contains("W0406") && told.contains("SAFE"), "{told}");
    assert!(told.contains("stuck.c:2:"), "{told}");
    let told = printed("fine.c");
    assert!(!told.contains("W0406"), "{told}");
}

#[test]
fn assertions_in_comments_count() {
    let text = |assertion: &str| {
        format!("int main(void) {{\n  int x = 3;\n  {assertion}\n  return 0;\n}}\n")
    };
    let first = |assertion: &str| verdict(&text(assertion), &[]).remove(0);
    assert_eq!(first("//@ assert x == 3;"), '0');
    assert_eq!(first("//@ assert x == 4 ==> \\false;"), '0');
    assert_eq!(first("/*@ assert x == 4; */"), '1');
    assert_eq!(first("//@ assert \\false;"), '1');
    assert_eq!(first("//@ assert 1 < x < 5;"), '3');
}

#[test]
fn labels_and_cases_may_have_any_number() {
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  switch (__VERIFIER_nondet_int()) {
  case -1: x = 1; goto end;
  case 6144: x = 2; break;
  case 'a' ... 'c': x = 3;
  default: x++;
  }
end:
  //@ assert x != 4 && x <= 4;
  return 0;
}
";
    assert!(verdict(text, &[]).starts_with("1 ult: UNSAFE"));
    let mended = text.replace("x != 4 &&", "");
    assert!(verdict(&mended, &[]).starts_with("0 ult: SAFE"));
}

#[test]
fn functions_without_a_body_are_listed() {
    let session = Session::new(&[(
        "f.c",
        "extern int what(int x);\nint main(void) { int y = what(1); //@ assert y == y;\n return 0; }\n",
    )]);
    let report = session.json(&["check", "f.c"]);
    assert_eq!(report["verdict"], "SAFE");
    assert_eq!(report["unknown_functions"][0], "what");
}

#[test]
fn stdin_may_be_c() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ult"))
        .args(["check", "-", "--language", "c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(
        &mut stdin,
        b"#include <assert.h>\nint main(void) { assert(0); }\n",
    )
    .unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("ult: UNSAFE <stdin>:2:"), "{told}");
}

/// A program with loops of every kind, a violation that depends on inputs, and its witness.
const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  int n = 0;
  while (n < 2) {
    n++;
  }
  int b = 0;
  for (int i = 0; i < n; i++)
    b++;
  do { n--; } while (n > 0);
  if (a == 5 && b == 2)
    reach_error();
  return 0;
}
";

#[test]
#[ignore = "takes long"]
fn harnesses_reach_the_violation() {
    let long = "extern unsigned char __VERIFIER_nondet_uchar(void);
extern long long get(int x);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <assert.h>
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  long long g = get(3);
  __VERIFIER_assume(c > 200);
  int n = 0, k[1];
  while (__VERIFIER_nondet_int() < -5)
    n++;
  k[0] = __VERIFIER_nondet_int();
  n = __VERIFIER_nondet_int() ;
  assert(k[0] == n + 3 || !(n));
  n = n ? 2 : 0;
  assert(g - c != 4294967296LL || n != 2);
  return 0;
}
";
    // NaN, an infinity, the negative zero, and numbers whose last bit matters.
    let floating = "extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
#include <assert.h>
int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  double z = __VERIFIER_nondet_double();
  double n = __VERIFIER_nondet_double();
  double i = __VERIFIER_nondet_double();
  if (f > 0.1f && f < 0.10000002f && d * 3.0 == 1.0 && d != 1.0)
    if (z == 0.0 && 1.0 / z < 0.0 && n != n && i < -1.7976931348623157e308)
      assert(f == 0.0f);
  return 0;
}
";
    for (text, arguments) in [
        (INPUTS, &[][..]),
        (long, &[]),
        (floating, &[]),
        (long, &["--int-encoding", "bits"]),
    ] {
        let session = Session::new(&[("f.c", text)]);
        let check = ["check", "f.c", "--harness", "harness.c", "--timeout", "60"];
        let (code, told) = session.told(&[&check, arguments].concat());
        assert_eq!(code, 1, "{told}");
        let compiled = Command::new("cc")
            .args(["f.c", "harness.c", "-o", "f"])
            .current_dir(session.path())
            .output()
            .unwrap();
        assert!(
            compiled.status.success(),
            "{}",
            String::from_utf8_lossy(&compiled.stderr)
        );
        let run = Command::new(session.path().join("f")).output().unwrap();
        let harness = fs::read_to_string(session.path().join("harness.c")).unwrap();
        assert_eq!(
            run.status.code(),
            None,
            "it ended without a signal:\n{harness}\n{told}"
        );
    }
    let session = Session::new(&[
        ("f.c", SUM),
        ("f.bpl", "procedure main() { assert true; }\n"),
    ]);
    assert_eq!(
        session.told(&["check", "f.c", "--harness", "harness.c"]).0,
        0
    );
    assert!(!session.path().join("harness.c").exists());
    assert_eq!(
        session
            .told(&["check", "f.bpl", "--harness", "harness.c"])
            .0,
        2
    );
}

#[test]
fn comments_may_be_in_any_encoding() {
    let session = Session::new(&[]);
    let file = |name: &str, text: &[u8]| fs::write(session.path().join(name), text).unwrap();
    file(
        "latin.c",
        b"/* gr\xfc\xdfe */ int main(void) { return 0; } // \xe4\n",
    );
    file("name.c", b"int \xe4; int main(void) { return 0; }\n");
    let string = "int main(void) { char *s = \"f?r\"; char c = '?'; __VERIFIER_assert((unsigned char)s[1] == 0xfc && c == s[1] && s[2] == 'r'); }\n";
    let string = string.as_bytes().iter().map(|byte| match byte {
        b'?' => 0xfc,
        byte => *byte,
    });
    let string: Vec<u8> = string.collect();
    file(
        "string.c",
        &[
            b"void __VERIFIER_assert(int c) { if (!c) __VERIFIER_error(); }\n",
            &string[..],
        ]
        .concat(),
    );
    file(
        "preprocessed.c",
        &[
            b"#define __VERIFIER_assert assert\n#include <assert.h>\n",
            &string[..],
        ]
        .concat(),
    );
    file(
        "directive.c",
        b"#include <assert.h> // \xe4\nint main(void) { return 0; } // \xe4\n",
    );
    assert_eq!(session.told(&["check", "latin.c"]).0, 0);
    assert_eq!(session.told(&["check", "directive.c"]).0, 0);
    for file in ["string.c", "preprocessed.c"] {
        let (code, told) = session.told(&["check", file]);
        assert_eq!(code, 0, "{told}");
        assert!(told.contains("1 assertion"), "{told}");
    }
    let (code, told) = session.told(&["check", "name.c"]);
    assert_eq!(code, 3);
    assert!(told.contains("E0401"), "{told}");
}

/// Lines that begin with comments are directives too, digraphs are, and files may have names like options.
#[test]
fn directives_are_found_wherever_they_stand() {
    let main = "int main(void) { int x = NUMBER; assert(x == 3); /* b */ return 0; }\n";
    let session = Session::new(&[]);
    fs::create_dir(session.path().join("folder")).unwrap();
    fs::write(session.path().join("folder/own.h"), "#define NUMBER 3\n").unwrap();
    // Not this one.
    fs::write(session.path().join("own.h"), "#define NUMBER 4\n").unwrap();
    for (name, head) in [
        (
            "comment.c",
            "/* a */ #include \"own.h\"\n/**/#include <assert.h>\n",
        ),
        (
            "lines.c",
            "/* a\n b */ /* c */ #include \"own.h\"\n#include <assert.h>\n",
        ),
        (
            "define.c",
            "\u{feff}/* a */ #define NUMBER 3\n#include <assert.h>\n",
        ),
        (
            "digraph.c",
            "%:include \"own.h\"\n  %: include <assert.h>\n",
        ),
        (
            "only_digraph.c",
            "%:include \"own.h\"\n  %:include <assert.h>\n",
        ),
        (
            "mark.c",
            "\u{feff}#include \"own.h\"\n#include <assert.h>\n",
        ),
    ] {
        let lines = head.lines().count();
        for (main, code) in [(main, 0), (&main.replace("== 3", "== 4"), 1)] {
            fs::write(
                session.path().join("folder").join(name),
                format!("{head}{main}"),
            )
            .unwrap();
            let path = format!("folder/{name}");
            let (found, told) = session.told(&["check", &path]);
            assert_eq!(found, code, "{name}: {told}");
            let place = format!("{path}:{}:", lines + 1);
            assert!(code == 0 || told.contains(&place), "{name}: {told}");
        }
    }
    fs::write(
        session.path().join("-x.c"),
        format!("#include \"own.h\"\n#include <assert.h>\n{main}"),
    )
    .unwrap();
    let (code, told) = session.told(&["check", "--", "-x.c"]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("-x.c:3:"), "{told}");
    let (code, told) = session.told(&["run", "--", "-x.c"]);
    assert_eq!(code, 1, "{told}");
    fs::write(session.path().join("-x.c"), "#include \"none.h\"\n").unwrap();
    let (code, told) = session.told(&["check", "--", "-x.c"]);
    assert_eq!(code, 3, "{told}");
    assert!(
        told.contains("[-x.c:1:1]") && told.contains("none.h"),
        "{told}"
    );
}

/// An annotation in front of a directive is not lost with the comment: the line is none that is understood.
#[test]
fn annotations_in_front_of_directives_are_not_lost() {
    let text = "int main(void) { int x = 1;\n/*@ assert x == 2; */ #define A 1\n return 0; }\n";
    let told = verdict(text, &[]);
    assert!(told.starts_with("3 "), "{told}");
}

#[test]
fn identifiers_may_have_letters_beyond_ascii() {
    let text = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct kn\u{f6}del { int gr\u{f6}\u{df}e; };
int z\\u00e4hler = 1, $dollar = 2;
static int verdoppelt\u{e9}(int \u{3b1}) { return 2 * \u{3b1}; }
int main(void) {
  struct kn\u{f6}del k = { 3 };
  int \u{3b2} = __VERIFIER_nondet_int();
  if (\u{3b2} > 5) { goto f\u{fc}r; }
  assert(z\u{e4}hler + $dollar + k.gr\\U000000f6\u{df}e == verdoppelt\u{e9}(3) && \u{3b2} <= 5);
f\u{fc}r:
  return 0;
}
";
    for text in [
        text,
        &text.replace(
            "#include <assert.h>",
            "void assert(int c) { if (!c) __VERIFIER_error(); }",
        ),
    ] {
        let told = verdict(text, &[]);
        assert!(told.starts_with("0 "), "{told}");
        let wrong = text.replace("\u{3b2} <= 5)", "\u{3b2} <= 4)");
        let session = Session::new(&[("f.c", &wrong)]);
        let (code, told) = session.told(&["check", "f.c"]);
        assert_eq!(code, 1, "{told}");
        assert!(told.contains("\u{3b2} = 5"), "{told}");
        // The translation has the names, and is a program.
        let (code, told) = session.told(&["translate", "f.c", "-o", "f.bpl"]);
        assert_eq!(code, 0, "{told}");
        let translated = fs::read_to_string(session.path().join("f.bpl")).unwrap();
        assert!(
            translated.contains("procedure verdoppelt\u{e9}"),
            "{translated}"
        );
        assert_eq!(session.told(&["check", "f.bpl"]).0, 1);
    }
    // Different names stay different.
    let told = verdict("int \u{e4}, __ucn_e4_; int main(void) { return 0; }", &[]);
    assert!(told.starts_with("3 "), "{told}");
    let told = verdict("int main(void) { return gr\u{f6}\u{df}e; }", &[]);
    assert!(told.starts_with("3 "), "{told}");
    let session = Session::new(&[("f.c", "int main(void) { return gr\u{f6}\u{df}e; }")]);
    let (_, told) = session.told(&["check", "f.c"]);
    assert!(told.contains("`gr\u{f6}\u{df}e`"), "{told}");
}

#[test]
fn runs_go_through_the_library() {
    let text = "#include <assert.h>
#include <string.h>
int main(void) {
  char text[2] = \"a\";
  assert(strcmp(text, \"a\") != 0);
}
";
    let session = Session::new(&[("f.c", text)]);
    let (code, told) = session.told(&["check", "f.c", "--timeout", "60"]);
    assert_eq!(code, 1, "{told}");
    // What the function does inside is for those who ask.
    assert!(!told.contains("<stdlib>"), "{told}");
    assert!(told.lines().last().unwrap().contains("f.c:5:"), "{told}");
    let report = session.json(&["check", "f.c"]);
    let obligations = report["units"][0]["obligations"].as_array().unwrap();
    let violated = obligations.iter().find(|o| o["verdict"] == "UNSAFE");
    let run = violated.unwrap()["run"].as_array().unwrap();
    let library = run.iter().filter(|step| {
        step["file"]
            .as_str()
            .is_some_and(|file| file.starts_with("<stdlib>/"))
    });
    assert!(library.count() > 2, "{run:?}");
}

#[test]
fn a_number_from_the_command_line_is_read_within_its_text() {
    let text = "#include <stdlib.h>
int main(int argc, char *argv[]) {
  int n = 10;
  if (argc > 1) n = atoi(argv[1]);
  return n & 1;
}
";
    let session = Session::new(&[("f.c", text)]);
    let (code, told) = session.told(&["check", "--property", "valid-deref", "f.c"]);
    assert_eq!(code, 0, "{told}");
    // That it fits is another question.
    assert!(
        told.contains("assumed: signed integers do not overflow"),
        "{told}"
    );
}

#[test]
fn that_variables_live_again_under_the_same_number_is_told() {
    let text = "int *p;
static void call(int first) { int x = 1; if (first) p = &x; else x = *p; }
int main(void) { call(1); call(0); return 0; }
";
    let session = Session::new(&[("f.c", text)]);
    let report = session.json(&["check", "--property", "valid-deref", "f.c"]);
    let assumed = report["assumptions"].to_string();
    assert!(assumed.contains("left and entered again"), "{assumed}");
    // In `main`, that cannot happen.
    let text = "int main(void) { int x = 1, *p = &x; return *p; }";
    let session = Session::new(&[("g.c", text)]);
    let report = session.json(&["check", "--property", "valid-deref", "g.c"]);
    let assumed = report["assumptions"].to_string();
    assert!(!assumed.contains("left and entered again"), "{assumed}");
}

#[test]
fn what_is_assumed_about_functions_without_a_body_is_told() {
    let text = "#include <assert.h>
int *place(int);
int main(void) {
  int x = 1, *p = place(x);
  if (p) *p = 2;
  assert(x == 1);
}
";
    let session = Session::new(&[("f.c", text)]);
    let report = session.json(&["check", "--property", "assertions", "f.c"]);
    assert_eq!(report["verdict"], "SAFE");
    let assumed = report["assumptions"].to_string();
    for words in [
        "change no memory of the program and call none of its functions: place",
        "return are null or point to memory that only such pointers of the same type share, or to what the program itself points to in the same places: place",
    ] {
        assert!(assumed.contains(words), "{assumed}");
    }
    assert_eq!(report["unknown_functions"], serde_json::json!(["place"]));
    // Its objects are not the program's: whether they live is not known.
    let verdict = verdict(text, &["--property", "valid-deref"]);
    assert!(
        verdict.starts_with("4 ult: UNKNOWN(unsupported)"),
        "{verdict}"
    );
}

//! Several C files as one program.

use crate::session::Session;

const FIRST: &str = "#include <assert.h>
#include <string.h>
struct node { int v; struct node *next; };
struct mine { int x; };
enum { K = 1 };
static int hidden = 3;
extern int table[];
int total(struct node *n);
int twice(int);
static int helper(void) { return hidden + K; }
int main(void) {
  struct node b = {2, 0}, a = {1, &b};
  struct mine m = {4};
  assert(total(&a) == 3);
  assert(twice(5) == 10);
  assert(helper() == 4 && m.x == 4);
  assert(table[2] == 7 && strlen(\"abc\") == 3);
  return 0;
}
";

const SECOND: &str = "#include <string.h>
typedef struct node { int v; struct node *next; } node;
struct mine { char c[3]; double d; };
enum { K = 2 };
static int hidden = 40;
static int helper(void) { return hidden + K; }
int table[3] = {5, 6, 7};
int total(node *n) { int s = 0; while (n) { s += n->v; n = n->next; } return s; }
int twice(int x) { struct mine m; m.d = 1; return x + x + (helper() - 42) + (int) strlen(\"\"); }
";

#[test]
fn units_share_what_is_extern_and_nothing_else() {
    let session = Session::new(&[("a.c", FIRST), ("b.c", SECOND)]);
    for files in [["a.c", "b.c"], ["b.c", "a.c"]] {
        let (code, told) = session.told(&["check", files[0], files[1], "--timeout", "60"]);
        assert_eq!(code, 0, "{told}");
        let linked = format!("linked: {}, {}: one program", files[0], files[1]);
        assert!(told.contains(&linked), "{told}");
        assert!(
            told.ends_with("4 assertions proved, and 23 conditions that C leaves to the programmer in 1 procedure\n"),
            "{told}"
        );
    }
    let report = session.json(&["check", "a.c", "b.c"]);
    assert_eq!(report["linked"], serde_json::json!(["a.c", "b.c"]));
    let (code, told) = session.told(&["run", "b.c", "a.c"]);
    assert_eq!(
        (code, &told[..24]),
        (0, "finished, exit status 0\n"),
        "{told}"
    );
    let (code, told) = session.told(&["translate", "a.c", "b.c"]);
    assert_eq!(code, 0);
    assert!(
        told.contains("procedure total") && told.contains("procedure main"),
        "{told}"
    );
}

/// What goes wrong in one file is told there, and the compiled files agree.
#[test]
fn places_are_those_of_each_file() {
    let wrong = SECOND.replace("s += n->v;", "s += n->v; assert(s < 3);");
    let wrong = format!("#include <assert.h>\n{wrong}");
    let session = Session::new(&[("a.c", FIRST), ("b.c", &wrong)]);
    let (code, told) =
        session.told(&["check", "a.c", "b.c", "--harness", "h.c", "--timeout", "60"]);
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("  b.c:9:56: assertion violated\n    false: s < 3, where s = 3\n"),
        "{told}"
    );
    assert!(told.contains("ult: UNSAFE b.c:9:56: "), "{told}");
    if std::process::Command::new("cc")
        .arg("--version")
        .output()
        .is_ok()
    {
        assert!(told.contains("confirmed: the compiled program"), "{told}");
        let built = session.path().join("built");
        let status = std::process::Command::new("cc")
            .args(["-w", "-o"])
            .arg(&built)
            .args(["a.c", "b.c", "h.c"])
            .current_dir(session.path())
            .status();
        assert!(status.unwrap().success());
        assert!(
            !std::process::Command::new(&built)
                .output()
                .unwrap()
                .status
                .success()
        );
    }
}

/// Files with a `main` each are programs by themselves, as are those in a folder.
#[test]
fn programs_with_a_main_each_stay_apart() {
    let main = "int main(void) { return 0; }\n";
    let session = Session::new(&[("a.c", FIRST), ("b.c", SECOND), ("c.c", main)]);
    let (_, told) = session.told(&["check", "a.c", "c.c", "--timeout", "60"]);
    let said = "these C files are separate programs, since `main` is defined in a.c and in c.c";
    assert!(told.contains(said) && told.contains("2 files"), "{told}");
    let (_, told) = session.told(&["check", "--separate", "b.c", "c.c", "--timeout", "60"]);
    assert!(
        !told.contains("linked") && told.contains("2 files"),
        "{told}"
    );
    let (_, told) = session.told(&["check", ".", "--timeout", "60"]);
    assert!(
        !told.contains("linked") && told.contains("3 files"),
        "{told}"
    );
    let (code, told) = session.told(&["run", "a.c", "c.c"]);
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("these are several programs"), "{told}");
    let (code, told) = session.told(&["check", "a.c", "b.c", "--jobs", "2"]);
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("`--separate` checks each by itself"),
        "{told}"
    );
    let (code, told) = session.told(&["translate", "a.c", "b.bpl"]);
    assert_eq!(code, 2, "{told}");
}

/// A file that cannot be read: nothing is said about a part of the program.
#[test]
fn a_part_of_a_program_is_no_program() {
    let session = Session::new(&[("a.c", FIRST), ("b.c", "#include \"missing.h\"\n")]);
    let (code, told) = session.told(&["check", "a.c", "b.c"]);
    assert_eq!(code, 3, "{told}");
    assert!(!told.contains("UNSAFE") && !told.contains("SAFE"), "{told}");
    let open = Session::new(&[("a.c", "int main(void) { return 0; } /*"), ("b.c", SECOND)]);
    let (code, told) = open.told(&["check", "a.c", "b.c"]);
    assert_eq!(code, 3, "{told}");
}

/// Pairs of files, and what is said about them together.
#[test]
fn what_no_compiler_sees_is_looked_at() {
    const PAIRS: &[(&str, &str)] = &[
        // Types that differ, of functions and variables.
        (
            "int f(long x); int main(void) { return f(3); }",
            "int f(int x) { return x; }",
        ),
        ("extern long v; int main(void) { return v; }", "int v = 3;"),
        (
            "extern int a[4]; int main(void) { return a[3]; }",
            "int a[3];",
        ),
        ("extern int *p; int main(void) { return *p; }", "int p[2];"),
        (
            "extern int f; int main(void) { return f; }",
            "int f(void) { return 2; }",
        ),
        (
            "int f(int *p); int main(void) { int x = 1; return f(&x); }",
            "int f(char *p) { return *p; }",
        ),
        (
            "int f(int a, ...); int main(void) { return f(1); }",
            "int f(int a) { return a; }",
        ),
        // Qualifiers.
        (
            "extern int v; int main(void) { v = 4; return v; }",
            "const int v = 3;",
        ),
        (
            "extern int v; int main(void) { return v; }",
            "volatile int v;",
        ),
        // Structures of one name.
        (
            "struct s { int a; int b; }; int f(struct s *p); int main(void) { struct s x = {1, 2}; return f(&x); }",
            "struct s { int b; int a; }; int f(struct s *p) { return p->a; }",
        ),
        (
            "struct s { struct t *t; }; struct t { int x; }; extern struct s v; int main(void) { return 0; }",
            "struct s { struct t *t; }; struct t { char x; }; struct s v;",
        ),
        // Two definitions.
        ("int v = 3; int main(void) { return v; }", "int v = 3;"),
        ("int v; int main(void) { return v; }", "int v;"),
        (
            "int f(void) { return 1; } int main(void) { return f(); }",
            "int f(void) { return 2; }",
        ),
        // Called before a declaration, or without a prototype.
        (
            "int main(void) { return f(1.5); }",
            "int f(float x) { return x; }",
        ),
        (
            "int main(void) { return f(1); }",
            "double f(int x) { return x; }",
        ),
        (
            "int f(); int main(void) { return f(1); }",
            "int f(char x) { return x; }",
        ),
        // Arrays without a length that are defined have one element.
        (
            "int a[]; int main(void) { return a[0]; }",
            "extern int a[3];",
        ),
    ];
    let mut all = String::new();
    for (first, second) in PAIRS {
        let session = Session::new(&[("a.c", first), ("b.c", second)]);
        let (code, told) = session.told(&["check", "a.c", "b.c", "--confirm", "never"]);
        let told: Vec<&str> = told
            .lines()
            .filter(|line| line.starts_with("error") || line.starts_with("  at "))
            .collect();
        assert_eq!(code, 3, "{first} {second}");
        all += &format!("{first}\n{second}\n----\n{}\n\n", told.join("\n"));
    }
    insta::assert_snapshot!(all);
}

/// Pairs of files that fit.
#[test]
fn what_fits_is_verified() {
    const HEAD: &str = "void __assert_fail(const char *, const char *, unsigned, const char *); \
                        extern void abort(void);\n#include <assert.h>\n#include <stdlib.h>\n";
    for (first, second, expected) in [
        (
            "int main(void) { assert(f(3) == 4); return 0; }",
            "int f(int x) { return x + 1; }",
            0,
        ),
        (
            "int f(); int main(void) { assert(f(3) == 4); return 0; }",
            "int f(x) int x; { return x + 1; }",
            0,
        ),
        (
            "extern int a[]; int main(void) { a[2] = 1; assert(a[2] == 1); return 0; }",
            "int a[3];",
            0,
        ),
        (
            "struct s; struct s *get(void); int val(struct s *); int main(void) { assert(val(get()) == 5); return 0; }",
            "struct s { int v; }; static struct s one = {5}; struct s *get(void) { return &one; } int val(struct s *p) { return p->v; }",
            0,
        ),
        (
            "typedef struct { struct { int a; } in; struct q *q; } T; struct q { T *t; int n; }; int f(T *); int main(void) { T t; struct q q = {&t, 3}; t.q = &q; t.in.a = 4; assert(f(&t) == 7); return 0; }",
            "typedef struct { struct { int a; } in; struct q *q; } T; struct q { T *t; int n; }; int f(T *t) { return t->in.a + t->q->t->q->n; }",
            0,
        ),
        (
            "typedef int N; N g(void); int main(void) { assert(g() == 2); return 0; }",
            "int N = 2; int g(void) { return N; }",
            0,
        ),
        (
            "unsigned long strlen(const char *); int main(void) { assert(strlen(\"abc\") == 42); return 0; }",
            "unsigned long strlen(const char *s) { return 42; }",
            0,
        ),
        (
            "inline int f(void) { return 1; } extern int f(void); int g(void); int main(void) { assert(f() == 1 && g() == 1); return 0; }",
            "int f(void); int g(void) { return f(); }",
            0,
        ),
        (
            "static inline int f(void) { return 1; } int g(void); int main(void) { assert(f() == 1 && g() == 2); return 0; }",
            "static inline int f(void) { return 2; } int g(void) { return f(); }",
            0,
        ),
        // C leaves open which definition is called.
        (
            "inline int f(void) { return 1; } int main(void) { assert(f() == 1); return 0; }",
            "int f(void) { return 2; }",
            4,
        ),
        // Of a static function, the other file knows nothing.
        (
            "int f(void); int main(void) { assert(f() == 1); return 0; }",
            "static int f(void) { return 1; } int g(void) { return f(); }",
            1,
        ),
        (
            "#include <errno.h>\nint g(void); int main(void) { errno = 5; assert(g() == 5); return 0; }",
            "#include <errno.h>\nint g(void) { return errno; }",
            0,
        ),
        (
            "void h(void); int main(void) { h(); return 0; }",
            "static int n; static void last(void) { assert(n == 1); } void h(void) { n = 1; atexit(last); }",
            0,
        ),
        (
            "#pragma pack(1)\nint g(void); int main(void) { assert(g() == 8); return 0; }",
            "struct s { char c; int i; }; int g(void) { return sizeof(struct s); }",
            0,
        ),
    ] {
        let files = [first, second].map(|text| format!("{HEAD}{text}\n"));
        let session = Session::new(&[("a.c", &files[0]), ("b.c", &files[1])]);
        let (code, told) = session.told(&[
            "check",
            "a.c",
            "b.c",
            "--timeout",
            "60",
            "--confirm",
            "never",
        ]);
        assert_eq!(code, expected, "{first}\n{second}\n{told}");
    }
}

#[test]
fn main_gets_arguments() {
    let text = "#include <assert.h>
#include <string.h>
int main(int argc, char **argv, char **envp) {
  assert(argc >= 1 && argv[argc] == 0 && envp[0] == 0);
  assert(strcmp(argv[0], \"echo\") == 0);
  int n = 0;
  for (int i = 1; i < argc; i++) n += strlen(argv[i]);
  return n;
}
";
    let session = Session::new(&[("echo.c", text), ("one.bpl", "procedure P() { }\n")]);
    let (code, told) = session.told(&["run", "echo.c"]);
    assert_eq!(
        (code, &told[..24]),
        (0, "finished, exit status 0\n"),
        "{told}"
    );
    let (code, told) = session.told(&["run", "echo.c", "--", "ab", "", "-cde"]);
    assert_eq!(
        (code, &told[..24]),
        (0, "finished, exit status 6\n"),
        "{told}"
    );
    let (code, told) = session.told(&["run", "one.bpl", "--", "ab"]);
    assert_eq!(code, 2, "{told}");
}

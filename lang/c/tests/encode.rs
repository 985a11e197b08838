//! What encoding makes of small C programs, room by room: snapshots with the source and the program that is checked
//! together.

#![allow(clippy::unwrap_used, reason = "a test")]

use ult_c::{IntegerEncoding, Options, Overapprox, Properties};

/// The source, and the translation.
fn encoded(text: &str, options: &Options) -> String {
    let text = text.trim_start_matches('\n');
    let printed = match ult_c::translate(text, options) {
        Ok(translation) => ult_lang::print::typed(&translation.program),
        Err(diagnostics) => panic!("{text}: {diagnostics:?}"),
    };
    format!("{text}\n----\n{printed}")
}

fn math() -> Options {
    Options {
        integers: IntegerEncoding::Math,
        ..Options::default()
    }
}

fn bits() -> Options {
    Options {
        integers: IntegerEncoding::Bits,
        ..Options::default()
    }
}

/// Mathematical integers, of which that is checked.
fn checked(properties: Properties) -> Options {
    Options {
        properties,
        ..math()
    }
}

/// All that may be checked about pointers.
fn pointers() -> Options {
    checked(Properties {
        dereference: true,
        free: true,
        track: true,
        ..Properties::default()
    })
}

/// All that may be checked about numbers.
fn numbers() -> Options {
    checked(Properties {
        overflow: true,
        division: true,
        shift: true,
        ..Properties::default()
    })
}

/// What is read must have been written.
fn written() -> Options {
    checked(Properties {
        uninitialised: true,
        ..Properties::default()
    })
}

/// Whatever is in memory.
fn overapprox() -> Options {
    Options {
        overapprox: Overapprox::Only,
        ..Options::default()
    }
}

macro_rules! programs {
    ($($name:ident by $($options:ident)+ = $text:literal;)*) => {
        $(
            #[test]
            fn $name() {
                $(insta::assert_snapshot!(
                    concat!(stringify!($name), "_", stringify!($options)),
                    encoded($text, &$options())
                );)+
            }
        )*
    };
}

programs! {
    memory_of_anything by overapprox = r"
struct pair { int *to; unsigned low : 3; };
union both { int *pointer; long number; };
extern void *memcpy(void *, const void *, unsigned long);
int x;
int many[4];
int followed(union both value, struct pair *pair, int *p, int *q) {
    pair->to = p;
    memcpy(many, p, sizeof many);
    if (p < q) return pair->low | *q;
    return value.pointer == p;
}
int main(void) {
    int a = 1;
    struct pair pair = {&a, 2};
    union both both;
    both.number = (long)&x;
    int *made = (int *)(both.number + 4);
    int kept = followed(both, &pair, &a, made);
    return kept + *pair.to;
}
";
    // number.rs, operations.rs
    integers by math bits numbers = r#"
unsigned u; int i; signed char c;
int main(void) {
  u = u * 3u - 1u; i = i / 7 % 3; c = (signed char)(c + 1);
  i = i << 2; u = u >> 3; i = ~i & 12; i = -i; i = u < 5u ? (int)u : c;
  return i;
}
"#;
    // float.rs
    floats by math bits = r#"
int main(void) {
  double d = 1.5; float f = (float)d; int i = (int)f;
  d = d / 2.0 + i;
  return d < f || d != d;
}
"#;
    // place.rs, value.rs
    places by math pointers = r#"
struct s { int n; unsigned b : 3, c : 5; int a[2]; } s;
int main(int k, char **v) {
  struct s *p = &s; int *q = k ? &p->a[0] : &s.n;
  p->a[1] = k; s.b = k; *(q + 1) = s.c; q -= 1;
  return q == &s.n && q < p->a;
}
"#;
    arrays by math pointers = r#"
int g[3] = { 1, 2 };
int main(int k, char **v) {
  int a[2][2] = { { 1 }, { 2, 3 } }; a[k][1] = g[k]; int *p = a[1];
  return p[k] + g[2];
}
"#;
    // bytes.rs
    bytes by math bits = r#"
union u { int i; unsigned char c[4]; float f; } u;
int main(void) {
  u.i = 258; u.c[3] = 1; unsigned short h = *(unsigned short *)&u.c[1];
  return u.i + h + (u.f < 0.0f);
}
"#;
    // address.rs
    addresses by math = r#"
int x, y;
int main(void) {
  unsigned long a = (unsigned long)&x; int *p = (int *)a;
  return &x + 1 == &y || a % 4 || p == &x;
}
"#;
    // safety.rs, ends.rs
    lives by pointers = r#"
void *malloc(unsigned long); void free(void *);
int main(int k, char **v) {
  int *p = malloc(8); if (!p) return 1;
  p[k] = 1; free(p);
  { int x = 2; p = &x; }
  return *p;
}
"#;
    // definite_initialization.rs
    unwritten by written = r#"
struct s { int a, b; };
int main(int k, char **v) {
  int x, y[2]; struct s s, t; if (k) x = 1;
  s.a = 1; t = s; y[k] = x;
  return t.a + y[0];
}
"#;
    // moves.rs
    moves by math pointers written = r#"
void *memmove(void *, const void *, unsigned long); void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
struct s { int n, a[2]; int *p; };
int main(int k, char **v) {
  int a[3] = { 1, 2, 3 }; struct s s, t; int *to = a, *from = a;
  s.n = 1; s.p = &k;
  memmove(to + 1, from, 8); memcpy(&t, &s, sizeof s); memcpy(a, &s.a, 8); memset(&t.a, 255, 8);
  return a[1] + *t.p + t.a[1];
}
"#;
    moves_of_whole_objects by math = r#"
void *memmove(void *, const void *, unsigned long);
int main(int k, char **v) {
  int a[5000], b[5000], (*p)[5000] = k ? &a : &b; a[k] = 1;
  memmove(p, &a, sizeof a);
  return (*p)[k];
}
"#;
    moves_behind_arrays by math bits = r#"
void *memcpy(void *, const void *, unsigned long);
struct s { int a[2]; int *p; };
static void copy(void *to, void *from) { memcpy(to, from, sizeof(struct s)); }
int main(void) {
  int x; struct s s = { { 1, 2 }, &x }, t; int *walk = s.a;
  copy(&t, &s); walk++; memcpy(walk, t.a, sizeof t.a);
  return *t.p;
}
"#;
    moves_between_types by math bits = r#"
void *memcpy(void *, const void *, unsigned long);
int main(void) { float f = 1.0f; int i; memcpy(&i, &f, sizeof i); return i; }
"#;
    // copies.rs, padding.rs
    copies by math = r#"
int memcmp(const void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
struct s { char c; int i; int a[2]; };
int main(int k, char **v) {
  struct s s[2], t; memset(&t, 0, sizeof t); s[k] = t; s[0] = s[1];
  return memcmp(&s[0], &t, sizeof t);
}
"#;
    // statement.rs, body.rs
    control by math = r#"
int main(int k, char **v) {
  int n = 0;
  for (int i = 0; i < k; i++) { if (i == 3) continue; n += i; if (n > 9) goto out; }
  switch (k) { case 1: n = 2; case 2 ... 4: n++; break; default: return n; }
  do n--; while (n > 0);
out:
  return n;
}
"#;
    // library.rs, errno.rs, math.rs, unknown.rs
    functions by math = r#"
int *__errno_location(void); double sqrt(double); int abs(int); void unknown(int *); int getchar(void);
int main(void) {
  int x = abs(-3); double d = sqrt(2.0); unknown(&x); x += getchar();
  return x + (d > 1.0) + *__errno_location();
}
"#;
    pointers_to_functions by math = r#"
int one(int a) { return a; } int two(int a) { return a + 1; }
int main(int k, char **v) { int (*f)(int) = k ? one : two; return f(k); }
"#;
    // variadic.rs, passing.rs
    arguments by math = r#"
struct s { int a, b; };
int sum(int n, ...) {
  __builtin_va_list l; __builtin_va_start(l, n); int s = 0;
  while (n--) s += __builtin_va_arg(l, int);
  __builtin_va_end(l); return s;
}
struct s swap(struct s s) { struct s t = { s.b, s.a }; return t; }
int main(void) { struct s s = { 1, 2 }; s = swap(s); return sum(2, s.a, s.b); }
"#;
    // claims.rs, assumptions.rs
    claims by math = r#"
void reach_error(void); void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void); extern void abort(void);
int main(void) {
  int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2); if (x < 2) reach_error(); if (x == 3) abort();
  return 0;
}
"#;
    // locks.rs
    recursion by math = r#"
int down(int *p, int n) { int x = n; if (n == 0) return *p; return down(&x, n - 1); }
int main(void) { int y = 3; return down(&y, 2); }
"#;
}

//! What elaboration makes of small C programs: snapshots with the source and the typed program together.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test; its helpers are shared with examples"
)]

mod support;

use ult_c::types::DataModel;

/// The source, what is said about it, and the typed program.
fn elaborated(text: &str, model: DataModel) -> String {
    let text = text.trim_start_matches('\n');
    let parsed = ult_c::parse::parse(text);
    let (program, diagnostics) = ult_c::elaborate(&parsed, model);
    let mut out = text.to_owned();
    for diagnostic in parsed.diagnostics.iter().chain(&diagnostics) {
        let (span, label) = &diagnostic.labels[0];
        let line = text[..span.start as usize].matches('\n').count() + 1;
        out += &format!(
            "\n{line}: {} {} at `{}`: {label}",
            diagnostic.id,
            diagnostic.message,
            &text[span.range()]
        );
    }
    if !diagnostics.iter().any(|d| d.is_error()) {
        assert_eq!(support::flaws(&program), [""; 0]);
        out += "\n----\n";
        out += &ult_c::print::program(&program);
    }
    out
}

macro_rules! programs {
    ($model:ident: $($name:ident = $text:literal;)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(elaborated($text, DataModel::$model));
            }
        )*
    };
}

programs! { Lp64:
    declarators = r#"
typedef int row[3];
row matrix[2], *rows;
int *pointers[4], (*to_array)[4], (*handler)(int, char *), (*table[2])(void);
int (*choose(int which))(int);
char *const *volatile chain;
extern int later[];
int later[5];
unsigned long int long_words; long unsigned words_long; signed char tiny; long long int wide;
typedef struct { int x; } point, *point_pointer;
point_pointer p;
"#;
    discarded = r#"
int f(void);
int g, a[3], *p;
struct s { int x, y; } s;
void effects(int n) {
  int local;
  n; g; s.x; &a[1]; "text"; f; 3; (void)n; n == g; -1.0;
  local;
  (void)(1 / n);
  *p; a[n]; &a[n]; n + 1; n << g; p + n; (int)-g;
  n + 1u; n & g; (char)n;
  n ? *p : 2;
  n / g ? 1 : 2;
  n && *p;
  *p || f();
  (*p, f());
  g = (*p, 3);
  for (; n; n++, *p) ;
  n++;
  sizeof(1 / n);
  0 && *p;
}
"#;
    lives = r#"
int *p;
void use(int *);
void blocks(int n) {
  int outer;
  use(&outer);
  { int plain = 1; p = 0; }
  { int x; p = &x; }
  for (int i = 0; i < n; i++) {
    int x;
    use(&x);
    if (x) continue;
    { int y; use(&y); if (y) break; }
    if (i == 3) goto out;
  }
  if (n) p = &(int){1};
  p = ({ int x[2]; use(x); x[1]; x; });
out:
  switch (n) {
    int z;
    case 1: use(&z); break;
    case 2: { int w; use(&w); goto back; }
  }
  if (n) goto past;
  int later;
back:
past:
  use(&later);
}
"#;
    orders = r#"
int f(void), g;
int clashes(int i, int *a) {
  i = i++;
  i = ++i + 1;
  a[i] = i++;
  i += i++;
  f() + (g = 1) + g;
  return i++ + i;
}
int fine(int i, int *a, int *b) {
  i = (i++, i);
  i = i++ && i;
  *a++ = *b++;
  a[0] = a[1] + f();
  return i + f();
}
"#;
    symbols = r#"
extern int a asm("b");
int b;
extern int w __attribute__((weak));
extern void g(void) __attribute__((weak));
#pragma weak h
void h(void);
int own asm("own");
int f(void) {
  register int r asm("eax") = 1;
  if (g) g();
  if (h == 0) own = w;
  return b + r;
}
"#;
    storage = r#"
int tentative;
int tentative;
extern int known;
extern int defined;
int defined = 4;
static int hidden = 1;
int counter(void) {
  static int calls = 10;
  static int other;
  extern int known;
  int tentative = calls;
  { int tentative = 2; calls += tentative; }
  return tentative + known + other;
}
"#;
    old_style = r#"
int add(a, b, c) char a; float b; { return a + b + c; }
int late();
int main(argc, argv) char **argv; {
  int r = add('a', 1.5f, 3);
  r = late(r, 'b');
  r = undeclared(1.0f);
  return r;
}
int late(int a, long b) { return a; }
void *early(char); void *early(c) char c; { return malloc(c); }
void *malloc(unsigned long);
"#;
    records = r#"
struct list { struct list *next; char kind; long value; };
union number { int i; double d; char bytes[12]; };
struct outer { char c; struct { short a; union { int b; char d; }; }; struct list inner; };
struct flags { unsigned a : 3; int b : 5; unsigned : 0; unsigned char c : 7; long long d : 40; _Bool e : 1; };
struct packed { char c; int i; long l : 9; } __attribute__((packed));
struct aligned { char c; } __attribute__((aligned(16)));
struct member { char c; char d __attribute__((aligned(8))); };
struct flexible { int n; short data[]; };
struct empty {};
int f(struct outer *o, struct flags *g) {
  o->b = o->inner.value;
  g->a = 9;
  int x = g->a + g->b;
  int y = g->a++ + (g->b = 3);
  return o->a + sizeof(struct flexible) + __builtin_offsetof(struct outer, inner.value)
    + (int)(unsigned long)&((struct outer *)0)->d;
}
"#;
    enumerations = r#"
enum color { RED, GREEN = 5, BLUE };
enum sign { MINUS = -1, PLUS = 1 };
enum big { SMALL, LARGE = 0x100000000 };
enum color c = BLUE;
int f(enum color a, enum sign b, enum big d) {
  return a - 6 < 0 || b < 0 || d > RED;
}
"#;
    literals = r#"
void f(void) {
  long a = 2147483648; unsigned b = 0xffffffff; int c = 017, d = 0b101;
  unsigned long long e = 18446744073709551615u; long g = 5L;
  char h = '\xff', i = '\n', j = '\0'; int k = 'ab', l = L'x';
  double m = 0.1, n = 1e400, o = 0x1.8p3; float q = 0.1f; long double r = 1.5L;
  char *s = "a\tb" "\x41" "\101", t[] = "hi", u[2] = "hi";
  int *w = L"wide";
  const char *name = __func__;
}
"#;
    conversions = r#"
void f(signed char c, unsigned char u, short s, unsigned i, long l, float x, double y, _Bool b) {
  l = c + u;
  l = i + c;
  l = l + i;
  i = -1 < i;
  y = x * i;
  x = y;
  b = y;
  b = c;
  s += 1;
  u = ~u;
  i = s << c;
  l = 1 ? c : i;
  u++;
  b++;
}
"#;
    constants = r#"
int a[sizeof(int) * 2 + (3 > 2 ? 1 : 100)];
int b = -7 / 2, c = -7 % 2, d = 1 << 4 | 3, e = !5, g = 2 && 0;
unsigned h = -1, i = 0xffffffffu + 2u;
long j = (char)300, k = (unsigned char)-1, l = ~0u;
double m = 1, n = -1.5;
_Static_assert(sizeof(long) == 8 && _Alignof(short) == 2, "model");
const int size = 10;
int copy = size;
int *address = &a[3];
char *inside = (char *)&a[1] + 2;
long distance = (long)(&((struct { int x; int y; } *)0)->y);
int main(void) {
  int overflow = 2147483647 + 1;
  int zero = 1 / 0;
  int shift = 1 << 40;
  return 0 && f();
}
"#;
    initialisers = r#"
struct point { int x, y; };
struct line { struct point from, to; char name[6]; };
static struct line lines[] = { 1, 2, { 3, 4 }, "one", [2] = { .to.y = 7, .name = { 'x' } } };
static int sparse[10] = { [2] = 5, 6, [8 ... 9] = 1 };
static const char *words[] = { "a", "b" };
static char rows[2][3] = { "ab", { 'c' } };
union number { float f; int i; } u = { .i = 3 };
struct point *literal = &(struct point){ 8, 9 };
int f(int a) {
  struct point p = { a, .y = a + 1 }, q = p;
  struct line l = { p, { 5 } }, m = { .to = p, .to.x = 3, .from = { 1 } };
  int all[2] = { a, 2 }, some[4] = { a };
  int matrix[2][2] = { 1, 2, 3, 4 };
  struct point *r = &(struct point){ .y = 2 };
  r = (struct point[]){ { 1, 2 }, { 3, 4 } };
  int scalar = { 5 };
  int counted[] = { 1, 2, [5] = 6 };
  return sizeof counted;
}
"#;
    pointers = r#"
int g(int *p, int n, int a[10][3], void *v, char (*text)[8]) {
  int b[4], *q = b;
  q = p + n;
  q = n + p;
  q = p - 2;
  q += n;
  q++;
  --q;
  b[1] = *(b + n) + 2[b] + *p;
  a[1][2] = p[n];
  (*text)[3] = v == 0;
  v = v + 1;
  p = &b[n];
  p = &*q;
  if (p && !q || p < q) n = q - p;
  return *&n + (p == q) + (v != p);
}
"#;
    functions = r#"
typedef int operation(int, int);
int add(int a, int b) { return a + b; }
operation *pick(int n) { return n ? add : &add; }
struct big { long values[4]; };
struct big make(int n) { struct big b = { { n } }; return b; }
long use(struct big b) { return b.values[0]; }
void nothing(void) { return nothing(); }
int f(operation *op, int (*table[])(int, int)) {
  int x = op(1, 2);
  x = (*op)(x, 'a');
  x += table[1](1, 2) + pick(0)(3, 4);
  use(make(3));
  x = make(4).values[2];
  (void)add(1, 2);
  return add(add(1, 2), add(3, 4));
}
"#;
    variable_arguments = r#"
int sum(int n, ...) {
  __builtin_va_list list, copy;
  int total = 0;
  __builtin_va_start(list, n);
  __builtin_va_copy(copy, list);
  while (n--) total += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return total;
}
int v(__builtin_va_list list) { return __builtin_va_arg(list, double); }
int main(void) { char c = 1; float x = 2; return sum(2, c, x); }
"#;
    side_effects = r#"
int f(void);
int g, a[10];
int main(void) {
  int x = g + f();
  x = g++ + ++g;
  a[g] = f();
  a[f()] = g;
  a[g++] += 2;
  a[x] += f();
  x = g = a[1] = 3;
  x = (f(), g);
  x = g && f();
  x = f() || g || f();
  if (g == 1 && f() > 2) x = 1;
  while (x-- > 0 && f()) ;
  x = g ? f() : 2;
  g ? f() : 0;
  g && f();
  x = ({ int y = f(); y + 1; });
  x;
  g + a[1];
  return f() - f() * f();
}
"#;
    loops = r#"
int f(int n) {
  int i, s = 0;
  for (i = 0; i < n; i++) s += i;
  for (int j = 0; ; j++) { if (j == n) break; if (j % 2) continue; s += j; }
  while (s > 100) { s -= 3; if (s == 200) goto out; }
  do { s++; if (s == 7) continue; } while (s < 10);
  do s--; while (0);
  do { if (s) break; s = 1; } while (0);
  while (1) { break; }
  for (;;) if (n--) continue; else break;
out:
  return s;
}
"#;
    switches = r#"
int f(int n, unsigned char c, enum { A, B } e) {
  int r = 0;
  switch (n + 1) { case 1: r = 1; break; case 2: r = 2; case 3 ... 5: r = 3; break; default: r = 4; }
  switch (c) { case 'a': case -1: return 1; }
  switch (e) { default: break; case B: return 2; }
  switch (n) { case 0: do { r++; case 1: r--; } while (--n > 0); }
  while (n) { switch (n) { case 3: continue; case 4: break; } n--; }
  return r;
}
"#;
    jumps = r#"
int f(int n) {
again:
  if (n > 0) { n--; goto again; }
  goto inside;
  { int x; inside: x = 1; n += x; }
  if (0) { skipped: return 1; }
  goto skipped;
}
"#;
    variable_lengths = r#"
int f(int n, int m, int a[n][m]) {
  int b[n + 1], c[2][m];
  typedef int row[m];
  row *rows = c;
  int (*p)[m] = a;
  b[0] = a[1][2] + p[1][0] + c[1][1];
  p++;
  return sizeof b + sizeof(row) + sizeof c[0] + sizeof(int[n]);
}
"#;
    selections = r#"
int f(short s, double d, void *v, int *p) {
  __typeof__(d) e = d;
  __typeof__(int *) q = p;
  int a = _Generic(s, short: 1, default: 2) + _Generic(d, int: 1, default: 2);
  int b = _Generic(1L, long: 1, long long: 2);
  v = a ? v : p;
  q = a ? p : 0;
  q = a ? (void *)0 : p;
  return __builtin_choose_expr(sizeof(int) == 4, 10, undeclared) + __builtin_constant_p(3) + __builtin_constant_p(a)
    + __builtin_expect(a, 1);
}
"#;
    builtins = r#"
int f(unsigned n, double d, char *p, int *r) {
  __builtin_memcpy(p, "ab", 2);
  if (__builtin_isnan(d) || __builtin_add_overflow(n, 1, r)) __builtin_unreachable();
  abort();
  p = malloc(n);
  return __builtin_clz(n) + __builtin_popcount(n) + __builtin_strlen(p);
}
"#;
    gnu_syntax = r#"
main() { return 0; }
struct __attribute__((packed)) p { char c; int i; };
struct p empty = {};
__thread int local;
int f(void);
int g(int a) {
  int x = a ?: 3;
  x = f() ?: f();
  a ?: f();
  int zeroes[3] = {};
  struct p s = (struct p){};
  __auto_type n = zeroes;
  typedef enum { A } first; typedef enum { B } second;
  x = __builtin_types_compatible_p(__typeof__(first), __typeof__(second));
  return __builtin_types_compatible_p(int, void) + __builtin_types_compatible_p(short, short)
    + __builtin_types_compatible_p(__typeof__(zeroes), int *) + __builtin_types_compatible_p(long, long long);
}
"#;
    atomics = r#"
int shared; unsigned char small; int *pointer;
int f(int n) {
  __sync_synchronize();
  n = __sync_fetch_and_add(&shared, n) + __sync_sub_and_fetch(&small, 1);
  if (__sync_bool_compare_and_swap(&shared, 1, 2)) __atomic_store_n(pointer, 3, 5);
  __sync_fetch_and_nand(&shared, 7);
  return __sync_lock_test_and_set(&shared, 1);
}
"#;
    attributes = r#"
__attribute__((packed)) struct a { char c; int i; } x;
struct b { char c; int i; } __attribute__((packed)) y;
typedef int byte __attribute__((mode(QI)));
typedef long long loose __attribute__((aligned(2)));
struct c { char c; loose l; byte b; };
enum d { D } __attribute__((packed));
enum d z;
int f(int n, int (*rows)[n]) {
  return sizeof *rows + sizeof(*(int (*)[n + 1])rows) + sizeof(int[n++]);
}
"#;
    not_covered = r#"
int f(int x) {
  __asm__("");
  __asm__ __volatile__("" : : : "memory");
  __asm__("nop" : "+r"(x));
  struct { int a[x]; } s;
  return x;
}
"#;
    assertions_in_comments = r#"
int f(int x) {
  //@ assert x > 0;
  return x;
}
"#;
    wide_integers = r#"
__int128 a = 5;
unsigned __int128 b;
__uint128_t c = -1;
int f(void) { return a * b > 0; }
"#;
    wide_bit_fields = r#"
struct s { unsigned long a : 40; unsigned long b : 20; } s;
unsigned long f(int n) {
  s.a = s.a | 1ul;
  n = s.b << 3;
  if (s.a == 5 && s.a & 3) return s.a;
  return s.a + n;
}
"#;
    settled = r#"
void *memcpy(void *, const void *, unsigned long);
void own(unsigned long n) { }
unsigned long get(void);
int settled(int c, char *to, char *from) {
  unsigned long part = 3, rest = sizeof(long) - 3;
  volatile unsigned long seen = 4;
  unsigned long changed = 5, addressed = 6, *p = &addressed;
  _Bool truth = 7;
  signed char wrapped = 200;
  double real = 2.0;
  own(part);
  memcpy(to + part, from + rest, 8 - part);
  memcpy(to, from, seen);
  memcpy(to, from, changed);
  memcpy(to, from, addressed);
  memcpy(to, from, truth + wrapped);
  memcpy(to, from, 8 / (part - 3));
  memcpy(to, from, real);
  unsigned long result = 6;
  memcpy(to, from, result);
  result = get();
  changed = 6;
  for (int i = 0; i < 2; i++) { unsigned long one = 1; if (i) continue; memcpy(to, from, one); }
  if (c) goto in;
  { unsigned long jumped = 1; in: memcpy(to, from, jumped); }
  { unsigned long back = 2; memcpy(to, from, back); }
  { unsigned long again = 2; anew: memcpy(to, from, again); }
  if (c > 1) goto anew;
  switch (c) { int k = 3; case 1: memcpy(to, from, k); }
  return part;
}
"#;
    types_without_declaration = r#"
unknown x;
struct { unknown y; } z;
"#;
    mistakes = r#"
struct s { int a; } s;
int f(int x, ...);
int g(void) {
  undeclared = 1;
  s.b = 2;
  x = s + 1;
  s = 5;
  f();
  g(1);
  5 = s.a;
  int *p = 7, q = p;
  *s.a;
  if (s) return;
  goto nowhere;
  continue;
  case 3: ;
  switch (s.a) { case 1: case 1: ; }
  return &5;
}
int array[f(1)], negative[-1];
int initial = f(2);
int redeclared; char redeclared;
_Static_assert(1 > 2, "no");
struct t { int m; int m; int w : 40; struct incomplete i; };
int twice(void) {} int twice(void) {}
long conflicting(int); int conflicting(int a) { return a; }
"#;
}

programs! { Ilp32:
    thirty_two_bits = r#"
struct s { char c; long long l; double d; long double e; void *p; };
struct b { int a : 20; long long b : 30; };
long l = 2147483648;
unsigned long m = sizeof(long long);
int align = _Alignof(long long) * 10 + __alignof__(long long) + 100 * __alignof__(struct s);
int f(__builtin_va_list list) { return __builtin_va_arg(list, int) + 4294967295; }
"#;
}

/// Deep nesting must not exhaust the stack.
#[test]
fn deep_nesting() {
    let depth = 2_000;
    let sum = "1+".repeat(depth) + "x";
    let unary = "- ".repeat(depth) + "x";
    let text = format!("int f(int x) {{ return {sum}; }} int g(int x) {{ return {unary}; }}");
    let parsed = ult_c::parse::parse(&text);
    let (program, diagnostics) = ult_c::elaborate(&parsed, DataModel::Lp64);
    assert_eq!(diagnostics, []);
    assert!(ult_c::print::program(&program).len() > depth);
}

//! Why an assertion is violated: which conjunct is false, and by which values.

use crate::session::Session;

/// What is said about each violation, in order.
fn causes(name: &str, text: &str, args: &[&str]) -> String {
    let session = Session::new(&[(name, text)]);
    let (_, told) = session.told(&[&["check", name, "--timeout", "60"], args].concat());
    let causes = told.lines().map(str::trim);
    let causes: Vec<&str> = causes.filter(|line| line.starts_with("false")).collect();
    format!("{text}----\n{}\n", causes.join("\n"))
}

#[test]
fn the_conjunct_and_its_witness_are_named() {
    let text = "procedure q() {
  var a: [int]int; var n: int;
  a[0] := 1; a[1] := 5; a[2] := 9; n := 3;
  assert n == 3 && (forall k: int :: 0 <= k && k < n ==> a[k] < 9);
}
procedure pairs(a: [int, int]bool, s: [bool]int) {
  assume s[true] == 1 && a[4, 4];
  assert s[true] == 1 && (forall i, j: int :: i < j ==> a[i, j]);
}
procedure none(a: [int]int) { assert (exists i: int :: 0 <= i && i < 3 && a[i] == 7); }
procedure bits(x: bv8) { assert x != 3bv8 || false; }
procedure nothing() { assert false; }
procedure reordered(r: int, n: int) { assume n == 4 && r < 9; assert (n >= 1 && r == n) && n > 0; }
var g: int;
procedure callee(x: int) requires x > 0 && x < 10; ensures g == old(g) + x; modifies g; { g := g + x - 1; }
procedure caller() modifies g; { call callee(12); }
procedure invariant_of_a_loop() { var i: int; i := 0; while (i < 5) invariant i >= 0 && i <= 4; { i := i + 1; } }
";
    insta::assert_snapshot!(causes("why.bpl", text, &[]));
}

/// A call whose precondition is violated stands in the run once, with what it gives to the parameters.
#[test]
fn a_call_with_a_violated_precondition_is_told_once() {
    let text = "procedure callee(x: int, y: int)
  requires x > 0;
  requires y > x;
{
}
procedure caller(n: int) {
  var i: int;
  i := n;
  call callee(2, 3);
  call callee(i + 1, i);
}
";
    let session = Session::new(&[("call.bpl", text)]);
    let (code, told) = session.told(&["check", "call.bpl", "--engine", "slicing"]);
    assert_eq!(code, 1, "{told}");
    insta::assert_snapshot!(format!("{text}----\n{told}"));
}

#[test]
fn in_c_elements_and_members_have_their_names() {
    let text = "#include <assert.h>
#include <stdlib.h>
struct in { long t; long w[3]; };
struct out { struct in in[2]; long z; } o;
struct pt { int x; long y; } ps[4];
extern int nondet(void);
int a[5];
void first(void) {
  int *p = a + 2, i = nondet();
  if (i < 0 || i > 3) return;
  *p = 3;
  ps[i].y = 6;
  struct pt *r = &ps[i];
  r->y += 1;
  assert(a[2] == 3 && ps[2].y == 0);
}
void second(void) {
  struct in *in = &o.in[1];
  in->w[2] = 7;
  assert(o.in[1].w[2] == 8);
}
int main(void) {
  int *h = malloc(4 * sizeof(int));
  if (!h) return 0;
  h[3] = 6;
  first();
  second();
  return 0;
}
";
    let session = Session::new(&[("names.c", text)]);
    let (_, told) = session.told(&["check", "names.c", "--timeout", "60", "--confirm", "never"]);
    insta::assert_snapshot!(format!("{text}----\n{told}"));
}

#[test]
fn in_c_pointers_are_called_as_the_program_calls_them() {
    let text = "#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *head, int v) {
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = head;
  return n;
}
static int last(struct node *n) {
  return n->next ? last(n->next) : n->next->v;
}
int main(void) {
  char name[4] = \"ab\";
  char *b = strchr(name, 'b');
  struct node *head = push(push(NULL, *b), 7);
  return last(head);
}
";
    let session = Session::new(&[("list.c", text)]);
    let (_, told) = session.told(&["check", "list.c", "--timeout", "60", "--confirm", "never"]);
    insta::assert_snapshot!(format!("{text}----\n{told}"));
}

/// Also where memory is read at several types, and is stored as bytes.
#[test]
fn in_c_bytes_are_told_as_the_numbers_that_they_belong_to() {
    let text = "#include <assert.h>
struct pair { short x; int y[2]; };
int main(void) {
  int v[4] = { 0 };
  struct pair p;
  unsigned char *c = (unsigned char *)v, *d = (unsigned char *)&p;
  c[4] = 7;
  v[2] = 5;
  v[3] = -2;
  p.x = -1;
  p.y[1] = 258;
  d[4] = 1;
  assert(c[8] == 5 && d[8] == 2);
  assert(v[1] != 7);
  return 0;
}
";
    let session = Session::new(&[("bytes.c", text)]);
    let (_, told) = session.told(&["check", "bytes.c", "--timeout", "60", "--confirm", "never"]);
    insta::assert_snapshot!(format!("{text}----\n{told}"));
}

#[test]
fn machines_get_it_in_parts() {
    let text = "procedure p(x: int) { assume x == 3; assert x > 0 && x < 3; }\n";
    let session = Session::new(&[("p.bpl", text)]);
    let report = session.json(&["check", "p.bpl"]);
    assert_eq!(
        report["units"][0]["obligations"][0]["cause"],
        serde_json::json!({ "conjunct": "x < 3", "values": [{ "name": "x", "value": "3" }] })
    );
    let proved = session.json(&["check", "p.bpl", "--entry", "p", "--modular"]);
    assert!(!proved["units"][0]["obligations"][0]["cause"].is_null());
    let safe = Session::new(&[("p.bpl", "procedure p(x: int) { assert x == x; }\n")]);
    let report = safe.json(&["check", "p.bpl"]);
    assert!(report["units"][0]["obligations"][0]["cause"].is_null());
}

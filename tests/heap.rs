//! Invariants about all objects of a heap, by the whole way from the text to checked verdicts.

use ult_engine::EngineKind;

use crate::arrays::proves_by;

#[track_caller]
fn proves(text: &str, good: &str, bad: &str) {
    proves_by(EngineKind::Heap, text, good, bad);
}

#[test]
#[ignore = "takes long"]
fn every_element_lies_between_the_least_and_the_greatest() {
    let text = "procedure p() {
  var next, list, i, v, min, max: int; var link, val: [int]int;
  next := 1; list := 0; min := 1000; max := -1000;
  while (*) {
    havoc v; assume -1000 <= v && v <= 1000;
    val[next] := v; link[next] := list; list := next; next := next + 1;
    if (v < min) { min := v; }
    if (v > max) { max := v; }
  }
  i := list;
  while (i != 0) { assert min <= val[i] && val[i] <= max; i := link[i]; }
}";
    proves(
        text,
        "if (v > max) { max := v; }",
        "if (v > max + 1) { max := v; }",
    );
}

#[test]
fn behind_a_red_element_comes_a_black_one() {
    let text = "procedure p() {
  var next, list, end, fresh: int; var link, color: [int]int;
  next := 1;
  list := next; next := next + 1; link[list] := 0; color[list] := 1; end := list;
  while (*) {
    fresh := next; next := next + 1; link[end] := fresh; end := fresh; link[end] := 0;
    if (*) { color[end] := 1; } else {
      color[end] := 0;
      fresh := next; next := next + 1; link[end] := fresh; end := fresh; link[end] := 0;
      color[end] := 1;
    }
  }
  end := list;
  while (end != 0) {
    if (color[end] == 0) { end := link[end]; assert end != 0 && color[end] == 1; }
    end := link[end];
  }
}";
    proves(
        text,
        "link[end] := 0;
      color[end] := 1;
    }",
        "link[end] := 0;
      color[end] := 0;
    }",
    );
}

#[test]
#[ignore = "takes long"]
fn the_last_element_is_not_yet_filled() {
    let text = "procedure p() {
  var next, list, last, fresh, v, i: int; var link, val, mark: [int]int;
  next := 1; list := next; next := next + 1; last := list;
  while (*) {
    havoc v; val[last] := v;
    if (v != 0) { mark[last] := 1; } else { mark[last] := 2; }
    fresh := next; next := next + 1; link[last] := fresh; last := fresh;
  }
  mark[last] := 3; link[last] := 0;
  i := list;
  while (mark[i] != 3) {
    if (val[i] != 0) { assert mark[i] == 1; } else { assert mark[i] == 2; }
    i := link[i];
  }
}";
    proves(text, "mark[last] := 2;", "mark[last] := 1;");
}

#[test]
fn zeroes_come_before_ones() {
    let text = "procedure p() {
  var next, list, last, fresh, marked: int; var link, val: [int]int;
  next := 1; list := next; next := next + 1; last := list; link[last] := 0; val[last] := 0;
  marked := 0;
  while (*) {
    fresh := next; next := next + 1; link[last] := fresh; last := fresh; link[last] := 0;
    if (*) { marked := 1; }
    val[last] := marked;
  }
  last := list;
  while (last != 0 && val[last] != 1) { assert val[last] == 0; last := link[last]; }
  while (last != 0) { assert val[last] == 1; last := link[last]; }
}";
    proves(
        text,
        "if (*) { marked := 1; }",
        "if (*) { marked := 1 - marked; }",
    );
}

//# expect: unsafe
//# flags: --engine execution
// A counter of 32 bits: 2^31 rounds that repeat themselves.
procedure counter()
{
  var x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30, x31: bool;
  x0 := false; x1 := false; x2 := false; x3 := false; x4 := false; x5 := false; x6 := false; x7 := false;
  x8 := false; x9 := false; x10 := false; x11 := false; x12 := false; x13 := false; x14 := false; x15 := false;
  x16 := false; x17 := false; x18 := false; x19 := false; x20 := false; x21 := false; x22 := false; x23 := false;
  x24 := false; x25 := false; x26 := false; x27 := false; x28 := false; x29 := false; x30 := false; x31 := false;
  while (!x31) {
    if (!x0) { x0 := true; } else { x0 := false;
    if (!x1) { x1 := true; } else { x1 := false;
    if (!x2) { x2 := true; } else { x2 := false;
    if (!x3) { x3 := true; } else { x3 := false;
    if (!x4) { x4 := true; } else { x4 := false;
    if (!x5) { x5 := true; } else { x5 := false;
    if (!x6) { x6 := true; } else { x6 := false;
    if (!x7) { x7 := true; } else { x7 := false;
    if (!x8) { x8 := true; } else { x8 := false;
    if (!x9) { x9 := true; } else { x9 := false;
    if (!x10) { x10 := true; } else { x10 := false;
    if (!x11) { x11 := true; } else { x11 := false;
    if (!x12) { x12 := true; } else { x12 := false;
    if (!x13) { x13 := true; } else { x13 := false;
    if (!x14) { x14 := true; } else { x14 := false;
    if (!x15) { x15 := true; } else { x15 := false;
    if (!x16) { x16 := true; } else { x16 := false;
    if (!x17) { x17 := true; } else { x17 := false;
    if (!x18) { x18 := true; } else { x18 := false;
    if (!x19) { x19 := true; } else { x19 := false;
    if (!x20) { x20 := true; } else { x20 := false;
    if (!x21) { x21 := true; } else { x21 := false;
    if (!x22) { x22 := true; } else { x22 := false;
    if (!x23) { x23 := true; } else { x23 := false;
    if (!x24) { x24 := true; } else { x24 := false;
    if (!x25) { x25 := true; } else { x25 := false;
    if (!x26) { x26 := true; } else { x26 := false;
    if (!x27) { x27 := true; } else { x27 := false;
    if (!x28) { x28 := true; } else { x28 := false;
    if (!x29) { x29 := true; } else { x29 := false;
    if (!x30) { x30 := true; } else { x30 := false;
    if (!x31) { x31 := true; } else { x31 := false;
    }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
  }
  assert !x31 || x0; // FAILS
}

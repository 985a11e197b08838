// The colours of a program.
procedure twice(n: int) returns (r: int)
// <- keyword
//        ^ function
//              ^ variable.parameter
//                 ^ type.builtin
  requires n >= 0;
//  ^ keyword
//         ^ variable
//           ^ operator
//              ^ number
{
  var b: Box bv32;
//       ^ type
//           ^ type.builtin
  loop: while (r < n) { call r := step(r); }
// ^ label
//      ^ keyword.repeat
//                           ^ variable
//                                ^ function
  if (true) { goto loop; }
// ^ keyword.conditional
//    ^ boolean
//                 ^ label
  assert {:msg "why"} b->value == f(r);
//        ^ attribute
//              ^ string
//                       ^ property
//                                ^ function
  return; // done
// ^ keyword.return
//           ^ comment
}

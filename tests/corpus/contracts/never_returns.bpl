//# expect: safe
// What is said is said about runs that end: this one never does.
procedure forever()
  ensures false;
{
  call forever();
}

procedure main()
{
  call forever();
  assert false;
}

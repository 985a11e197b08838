//# expect: unsafe
type Colour;
const unique red: Colour;
const unique green: Colour;
const blue: Colour;

procedure p()
{
  assert red != green;
  assert red != blue; // FAILS
}

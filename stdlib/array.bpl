// Arrays: maps from integers, looked at between two bounds. `low` is inside, `high` is not.
//
// Use it with `ult check --library array program.bpl`.

// All elements are the value.
function constant(a: [int]int, low: int, high: int, value: int): bool {
  (forall k: int :: low <= k && k < high ==> a[k] == value)
}

// The elements are the same, and at the same places.
function same(a: [int]int, b: [int]int, low: int, high: int): bool {
  (forall k: int :: low <= k && k < high ==> a[k] == b[k])
}

// No element is larger than a later one.
function sorted(a: [int]int, low: int, high: int): bool {
  (forall i, j: int :: low <= i && i < j && j < high ==> a[i] <= a[j])
}

// Some element is the value.
function contains(a: [int]int, low: int, high: int, value: int): bool {
  (exists k: int :: low <= k && k < high && a[k] == value)
}

// Exchanges two elements.
function swapped(a: [int]int, i: int, j: int): [int]int { a[i := a[j]][j := a[i]] }

procedure lemma_swapped(a: [int]int, i: int, j: int)
  ensures swapped(a, i, j)[i] == a[j] && swapped(a, i, j)[j] == a[i];
  ensures (forall k: int :: k != i && k != j ==> swapped(a, i, j)[k] == a[k]);
  ensures swapped(swapped(a, i, j), i, j) == a;
{
}

// Sets all elements to the value.
procedure fill(a: [int]int, low: int, high: int, value: int) returns (b: [int]int)
  ensures constant(b, low, high, value);
  ensures (forall k: int :: k < low || k >= high ==> b[k] == a[k]);
{
  var i: int;
  b := a;
  i := low;
  while (i < high)
    invariant low <= i || i >= high;
    invariant constant(b, low, i, value);
    invariant (forall k: int :: k < low || k >= high ==> b[k] == a[k]);
  {
    b[i] := value;
    i := i + 1;
  }
}

// The first place of the value, or -1.
procedure find(a: [int]int, low: int, high: int, value: int) returns (place: int)
  requires 0 <= low;
  ensures place == -1 ==> !contains(a, low, high, value);
  ensures place != -1 ==> low <= place && place < high && a[place] == value;
  ensures place != -1 ==> !contains(a, low, place, value);
{
  place := low;
  while (place < high && a[place] != value)
    invariant low <= place;
    invariant !contains(a, low, place, value);
  {
    place := place + 1;
  }
  if (place >= high) {
    place := -1;
  }
}

// The place of a largest element.
procedure largest(a: [int]int, low: int, high: int) returns (place: int)
  requires low < high;
  ensures low <= place && place < high;
  ensures (forall k: int :: low <= k && k < high ==> a[k] <= a[place]);
{
  var i: int;
  place := low;
  i := low + 1;
  while (i < high)
    invariant low <= place && place < i && i <= high;
    invariant (forall k: int :: low <= k && k < i ==> a[k] <= a[place]);
  {
    if (a[i] > a[place]) {
      place := i;
    }
    i := i + 1;
  }
}

// A place of the value in a sorted array, or -1.
procedure search(a: [int]int, low: int, high: int, value: int) returns (place: int)
  requires 0 <= low && sorted(a, low, high);
  ensures place == -1 ==> !contains(a, low, high, value);
  ensures place != -1 ==> low <= place && place < high && a[place] == value;
{
  var l, h, m: int;
  l, h, place := low, high, -1;
  while (l < h && place == -1)
    invariant low <= l && h <= high;
    invariant !contains(a, low, l, value) && !contains(a, h, high, value);
    invariant place != -1 ==> low <= place && place < high && a[place] == value;
  {
    m := (l + h) div 2;
    if (a[m] < value) {
      l := m + 1;
    } else if (a[m] > value) {
      h := m;
    } else {
      place := m;
    }
  }
}

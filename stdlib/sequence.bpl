// Sequences of integers, with a length: lists, buffers, messages on their way.
//
// Use it with `ult check --library sequence program.bpl`.

datatype Seq { Seq(items: [int]int, size: int) }

const no_items: [int]int;

function empty(): Seq { Seq(no_items, 0) }

function append(s: Seq, x: int): Seq { Seq(s->items[s->size := x], s->size + 1) }

function element(s: Seq, i: int): int { s->items[i] }

function last(s: Seq): int { s->items[s->size - 1] }

// Without its last element.
function front(s: Seq): Seq { Seq(s->items, s->size - 1) }

// Without its first element.
function rest(s: Seq): Seq { Seq((lambda i: int :: s->items[i + 1]), s->size - 1) }

// The same elements in the same order. (`==` looks beyond the end, too.)
function equal(s: Seq, t: Seq): bool {
  s->size == t->size && (forall i: int :: 0 <= i && i < s->size ==> s->items[i] == t->items[i])
}

procedure lemma_append(s: Seq, x: int)
  requires s->size >= 0;
  ensures append(s, x)->size == s->size + 1;
  ensures last(append(s, x)) == x;
  ensures equal(front(append(s, x)), s);
  ensures (forall i: int :: 0 <= i && i < s->size ==> element(append(s, x), i) == element(s, i));
{
}

procedure lemma_empty()
  ensures empty()->size == 0;
{
}

procedure lemma_rest(s: Seq)
  requires s->size > 0;
  ensures rest(s)->size == s->size - 1;
  ensures (forall i: int :: 0 <= i && i < rest(s)->size ==> element(rest(s), i) == element(s, i + 1));
{
}

procedure lemma_equal(s: Seq, t: Seq, u: Seq)
  ensures equal(s, s);
  ensures equal(s, t) ==> equal(t, s);
  ensures equal(s, t) && equal(t, u) ==> equal(s, u);
{
}

;# expect: unknown(unsupported)
; What a number divided by zero is, is not said: `p` may hold of it or not.
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (p 5))
(assert (q 1 1))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (p (div x 0))) false)))
(check-sat)

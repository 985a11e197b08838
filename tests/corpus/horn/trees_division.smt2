;# expect: unknown(unsupported)
; The only derivation divides by zero, which may give anything, in a clause with two premises.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (p 3))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (= 7 (div y x)) (= x 0)) false)))
(check-sat)

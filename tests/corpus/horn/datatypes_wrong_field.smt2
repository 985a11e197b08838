;# expect: unknown(unsupported)
; The field of what has none may be anything, but the same each time: some model satisfies the clauses.
(set-logic HORN)
(declare-datatype opt ((none) (some (val Int))))
(declare-fun p (opt) Bool)
(assert (p none))
(assert (forall ((x opt)) (=> (and (p x) (= (val x) 3)) false)))
(check-sat)

;# expect: unsafe 9
; Whatever the field of what has none is, it does not matter.
(set-logic HORN)
(declare-datatype opt ((none) (some (val Int))))
(declare-fun p (opt) Bool)
(declare-fun q (Int) Bool)
(assert (p none))
(assert (forall ((x opt)) (=> (p x) (q (ite ((_ is some) x) (val x) 4)))))
(assert (forall ((x opt) (y Int)) (=> (and (p x) (q y) (= y 4) (=> ((_ is some) x) (<= 0 (val x) 3))) false)))
(check-sat)

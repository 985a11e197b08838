;# expect: safe
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (p 1))
(assert (q 2))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (q y) (< y 0)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p x) (= x 1))))
(check-sat)

;# expect: safe
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (exists ((y Int)) (and (= x (* 2 y)) (<= 0 y 3))) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (forall ((y Int)) (=> (> y x) (>= y 3)))) (q x))))
(assert (forall ((x Int)) (=> (q x) (<= 2 x 6))))
(check-sat)

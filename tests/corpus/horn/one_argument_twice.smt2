;# expect: unsafe 9
;# flags: -Z blocks=sequence
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (<= 0 x 3) (<= 0 y 3)) (p x y x))))
(assert (forall ((x Int) (y Int)) (=> (p x x y) (q y (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (= y (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (q x (+ x 1)) (<= x 2))))
(check-sat)

;# expect: unsafe 8
;# flags: -Z blocks=none
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 4)) (inv (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (<= x 4))))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (not (= y 6)))))
(check-sat)

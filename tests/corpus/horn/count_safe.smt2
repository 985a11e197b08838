;# expect: safe
;# flags: -Z blocks=none
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int) (x1 Int))
  (=> (and (inv x y) (< x 10) (= x1 (+ x 1))) (inv x1 (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (distinct y (* 2 x))) false)))
(check-sat)

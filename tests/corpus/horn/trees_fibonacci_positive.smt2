;# expect: safe
(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= n 1) (f n 1))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (f (- n 1) a) (f (- n 2) b)) (f n (+ a b)))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (< r 1)) false)))
(check-sat)

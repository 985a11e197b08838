;# expect: unsafe 5
(set-logic HORN)
(assert (forall ((x Int)) (=> (> x 0) (>= x 1))))
(assert (=> false false))
(assert (forall ((x Int)) (=> (> x 0) (> x 1))))
(check-sat)

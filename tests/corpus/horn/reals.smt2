;# expect: safe
(set-logic HORN)
(declare-fun p (Real Int) Bool)
(assert (p 0.5 1))
(assert (forall ((r Real) (n Int)) (=> (and (p r n) (< n 6)) (p (/ r 2) (+ n 1)))))
(assert (forall ((r Real) (n Int)) (=> (p r n) (and (> r 0.0) (<= (* 2 r) 1)))))
(assert (forall ((r Real) (n Int)) (=> (p r n) (< (to_int r) n))))
(assert (forall ((r Real) (n Int)) (=> (p r n) (not (is_int (+ r (to_real n)))))))
(check-sat)

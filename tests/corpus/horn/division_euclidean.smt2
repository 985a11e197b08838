;# expect: safe
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (<= (- 9) n 9) (p n (div n 4) (mod n 4)))))
(assert (forall ((n Int)) (=> (<= (- 9) n 9) (p n (- (div n (- 4))) (mod n (- 4))))))
(assert (forall ((n Int) (q Int) (r Int)) (=> (p n q r) (and (= n (+ (* 4 q) r)) (<= 0 r 3)))))
(assert (forall ((n Int) (q Int) (r Int)) (=> (and (p n q r) (= n (- 7))) (= q (- 2)))))
(assert (forall ((n Int) (q Int) (r Int)) (=> (p n q r) (>= (abs n) n))))
(check-sat)

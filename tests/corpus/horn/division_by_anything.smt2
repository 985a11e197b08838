;# expect: unsafe 6
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((n Int) (d Int)) (=> (and (<= 0 n 3) (<= 0 d 3)) (p n d))))
(assert (forall ((n Int) (d Int)) (=> (and (p n d) (= (div n d) (div (+ n 0) d))) true)))
(assert (forall ((n Int) (d Int))
  (=> (and (p n d) (= (div n d) 3)) false)))
(check-sat)

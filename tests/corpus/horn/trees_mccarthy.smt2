;# expect: safe
; McCarthy's 91 function calls itself with its own result.
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (m Int) (r Int))
  (=> (and (<= n 100) (mc (+ n 11) m) (mc m r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (not (= r 91))) false)))
(check-sat)

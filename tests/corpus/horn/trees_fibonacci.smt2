;# expect: unsafe 7
; Five is the fifth one: its derivation uses some facts several times.
(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= 0 n 1) (f n n))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (f (- n 1) a) (f (- n 2) b)) (f n (+ a b)))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (= n 5) (= r 5)) false)))
(check-sat)

;# expect: safe
; Two arrays that are filled by derivations of their own, and read together.
(set-logic HORN)
(declare-fun fill (Int (Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (v Int)) (fill 0 a v)))
(assert (forall ((i Int) (a (Array Int Int)) (v Int))
  (=> (and (fill i a v) (< i 10)) (fill (+ i 1) (store a 0 v) v))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (v Int))
  (=> (and (fill 3 a v) (fill 4 b (+ v 1)) (= (select a 0) (select b 0))) false)))
(check-sat)

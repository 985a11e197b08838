; A typical mistake.

(set-logic HORN)

(define-fun Inv ((x Int) (n Int)) Bool (and (<= 0 x) (<= x n) (<= x 9)))
; The loop is entered.
(assert (forall ((n Int)) (=> (>= n 0) (Inv 0 n))))
; A round.
(assert (forall ((x Int) (n Int)) (=> (and (Inv x n) (< x n)) (Inv (+ x 1) n))))
; Behind the loop.
(assert (forall ((x Int) (n Int)) (=> (and (Inv x n) (>= x n) (not (= x n))) false)))
(check-sat)
